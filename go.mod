module github.com/gompss/gompss

go 1.26.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/felixge/fgprof v0.9.5
	github.com/panjf2000/ants/v2 v2.12.1
	github.com/stretchr/testify v1.12.1
	golang.org/x/sys v0.49.0
)

require (
	github.com/google/pprof v0.0.0-20240227163752-401108e1b7e7 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sync v0.24.0 // indirect
)
