/** Default of the setting KAFKA_PARTITIONS. */
export const kafkaPartitions = 24
