// Argo CD's controllers and kubectl in one program, for the tests: the first argument or the name of the program picks one.
// kubectl is the one whose packages Argo CD uses anyway. The tests run the commands of the guides with it.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	controller "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	applicationset "github.com/argoproj/argo-cd/v3/cmd/argocd-applicationset-controller/commands"
	cmpserver "github.com/argoproj/argo-cd/v3/cmd/argocd-cmp-server/commands"
	gitaskpass "github.com/argoproj/argo-cd/v3/cmd/argocd-git-ask-pass/commands"
	reposerver "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	"github.com/spf13/cobra"
	kubectl "k8s.io/kubectl/pkg/cmd"
)

var programs = map[string]func() *cobra.Command{
	"argocd-application-controller":    controller.NewCommand,
	"argocd-applicationset-controller": applicationset.NewCommand,
	"argocd-cmp-server":                cmpserver.NewCommand,
	"argocd-git-ask-pass":              gitaskpass.NewCommand,
	"argocd-repo-server":               reposerver.NewCommand,
	"kubectl":                          kubectl.NewDefaultKubectlCommand,
}

func main() {
	name := filepath.Base(os.Args[0])
	create, isProgram := programs[name]
	if !isProgram && len(os.Args) > 1 {
		create, isProgram = programs[os.Args[1]]
		os.Args = os.Args[1:]
	}
	if !isProgram {
		fmt.Fprintln(os.Stderr, "name a program of Argo CD as the first argument")
		os.Exit(2)
	}
	if err := create().Execute(); err != nil {
		os.Exit(1)
	}
}
