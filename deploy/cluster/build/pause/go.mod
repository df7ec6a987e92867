module marketplace.local/cluster/pause

go 1.24
