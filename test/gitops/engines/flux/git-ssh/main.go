// Serves the Git repositories of a folder over SSH on loopback, read-only, to the holder of one key: what a forge does.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/ssh"
)

func main() {
	address := flag.String("address", "", "host and port to listen on")
	root := flag.String("root", "", "folder of the bare repositories")
	hostKey := flag.String("host-key", "", "file with the private key of the server")
	authorizedKey := flag.String("authorized-key", "", "file with the public key of the only client")
	flag.Parse()
	config, err := serverConfig(*hostKey, *authorizedKey)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	for {
		connection, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			if err := serve(connection, config, *root); err != nil {
				log.Printf("%s: %v", connection.RemoteAddr(), err)
			}
		}()
	}
}

func serverConfig(hostKey, authorizedKey string) (*ssh.ServerConfig, error) {
	private, err := os.ReadFile(hostKey)
	if err != nil {
		return nil, err
	}
	signer, err := ssh.ParsePrivateKey(private)
	if err != nil {
		return nil, err
	}
	config := &ssh.ServerConfig{
		PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			// Read for each connection: the key can be registered after the start, as with a forge.
			text, err := os.ReadFile(authorizedKey)
			if err != nil {
				return nil, err
			}
			authorized, _, _, _, err := ssh.ParseAuthorizedKey(text)
			if err != nil {
				return nil, err
			}
			if !bytes.Equal(key.Marshal(), authorized.Marshal()) {
				return nil, fmt.Errorf("unknown key %s", ssh.FingerprintSHA256(key))
			}
			return &ssh.Permissions{}, nil
		},
	}
	config.AddHostKey(signer)
	return config, nil
}

func serve(connection net.Conn, config *ssh.ServerConfig, root string) error {
	defer connection.Close()
	_, channels, requests, err := ssh.NewServerConn(connection, config)
	if err != nil {
		return err
	}
	go ssh.DiscardRequests(requests)
	for each := range channels {
		if each.ChannelType() != "session" {
			if err := each.Reject(ssh.UnknownChannelType, "only sessions"); err != nil {
				return err
			}
			continue
		}
		channel, requests, err := each.Accept()
		if err != nil {
			return err
		}
		go session(channel, requests, root)
	}
	return nil
}

func session(channel ssh.Channel, requests <-chan *ssh.Request, root string) {
	defer channel.Close()
	for request := range requests {
		var command struct{ Line string }
		if request.Type != "exec" || ssh.Unmarshal(request.Payload, &command) != nil {
			_ = request.Reply(request.Type == "env", nil)
			continue
		}
		_ = request.Reply(true, nil)
		status := uploadPack(channel, command.Line, root)
		_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{status}))
		return
	}
}

// uploadPack runs the only command that a client may run.
func uploadPack(channel ssh.Channel, line, root string) uint32 {
	repository, isRead := strings.CutPrefix(line, "git-upload-pack ")
	if !isRead {
		fmt.Fprintln(channel.Stderr(), "the repositories are read-only")
		return 1
	}
	git := exec.Command("git", "upload-pack", filepath.Join(root, filepath.Base(strings.Trim(repository, "'"))))
	// Not git.Stdin: Run would wait for the client to close its side.
	input, err := git.StdinPipe()
	if err != nil {
		return 1
	}
	go func() {
		_, _ = io.Copy(input, channel)
		_ = input.Close()
	}()
	git.Stdout = channel
	git.Stderr = channel.Stderr()
	if err := git.Run(); err != nil {
		fmt.Fprintln(channel.Stderr(), err)
		return 1
	}
	return 0
}
