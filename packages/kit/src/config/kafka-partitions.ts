/** Default of KAFKA_PARTITIONS. */
export const kafkaPartitions = 24
