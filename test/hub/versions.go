package main

import "runtime/debug"

// shownModules are the modules that decide how the hub answers.
var shownModules = []string{
	"open-cluster-management.io/ocm",
	"open-cluster-management.io/addon-framework",
	"open-cluster-management.io/api",
	"open-cluster-management.io/sdk-go",
	"k8s.io/kubernetes",
	"go.etcd.io/etcd/server/v3",
}

// moduleVersions reads from the program itself which versions it was built from.
func moduleVersions() map[string]string {
	versions := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return versions
	}
	versions["go"] = info.GoVersion
	for _, name := range shownModules {
		for _, module := range info.Deps {
			if module.Path == name {
				versions[name] = module.Version
			}
		}
	}
	return versions
}
