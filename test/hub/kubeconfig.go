package main

import (
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Requests a second that each client may send. The default of OCM (50) is made for hubs that many share.
const (
	clientQPS   = 500
	clientBurst = 1000
)

// kubeconfig returns a kubeconfig file with everything inside it, so that it can be copied elsewhere.
func kubeconfig(server string, ca []byte, client keyPair) ([]byte, error) {
	config := clientcmdapi.NewConfig()
	config.Clusters["hub"] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: ca}
	config.AuthInfos["user"] = &clientcmdapi.AuthInfo{ClientCertificateData: client.certPEM, ClientKeyData: client.keyPEM}
	config.Contexts["hub"] = &clientcmdapi.Context{Cluster: "hub", AuthInfo: "user"}
	config.CurrentContext = "hub"
	return clientcmd.Write(*config)
}

// restConfig is the same access for clients in this process.
func restConfig(server string, ca []byte, client keyPair) *rest.Config {
	return &rest.Config{
		Host:            server,
		TLSClientConfig: rest.TLSClientConfig{CAData: ca, CertData: client.certPEM, KeyData: client.keyPEM},
		QPS:             clientQPS,
		Burst:           clientBurst,
	}
}
