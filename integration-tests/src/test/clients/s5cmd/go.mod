module clients
go 1.24
require github.com/peak/s5cmd/v2 v2.3.0
