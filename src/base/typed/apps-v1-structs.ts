/**
 * The Go structs of `apps/v1` Deployments and DaemonSets and everything that they contain, as k8s.io/api v0.35.4 declares them.
 * One paragraph per struct: `Name = field:Type …`, in the order of the Go source.
 *
 * `field?` has the tag `omitempty`, `field??` also `omitzero`. `...Type` is embedded inline. `*T` is a pointer, `[]T` a slice,
 * `{}T` a map with string keys. Every other type is a struct of this table or one of the types in `typed-conversion.ts`. `@34`
 * marks fields that Kubernetes 1.34 added. `omitzero` was added in that release, too.
 */
export const appsV1Structs = `
Deployment = ...TypeMeta metadata?:ObjectMeta spec?:DeploymentSpec status?:DeploymentStatus
TypeMeta = kind?:string apiVersion?:string
ObjectMeta = name?:string generateName?:string namespace?:string selfLink?:string uid?:string
  resourceVersion?:string generation?:int64 creationTimestamp??:Time deletionTimestamp?:*Time
  deletionGracePeriodSeconds?:*int64 labels?:{}string annotations?:{}string
  ownerReferences?:[]OwnerReference finalizers?:[]string managedFields?:[]ManagedFieldsEntry
OwnerReference = apiVersion:string kind:string name:string uid:string controller?:*bool
  blockOwnerDeletion?:*bool
ManagedFieldsEntry = manager?:string operation?:string apiVersion?:string time?:*Time fieldsType?:string
  fieldsV1?:*FieldsV1 subresource?:string
DeploymentSpec = replicas?:*int32 selector:*LabelSelector template:PodTemplateSpec
  strategy?:DeploymentStrategy minReadySeconds?:int32 revisionHistoryLimit?:*int32 paused?:bool
  progressDeadlineSeconds?:*int32
LabelSelector = matchLabels?:{}string matchExpressions?:[]LabelSelectorRequirement
LabelSelectorRequirement = key:string operator:string values?:[]string
PodTemplateSpec = metadata?:ObjectMeta spec?:PodSpec
PodSpec = volumes?:[]Volume initContainers?:[]Container containers:[]Container
  ephemeralContainers?:[]EphemeralContainer restartPolicy?:string terminationGracePeriodSeconds?:*int64
  activeDeadlineSeconds?:*int64 dnsPolicy?:string nodeSelector?:{}string serviceAccountName?:string
  serviceAccount?:string automountServiceAccountToken?:*bool nodeName?:string hostNetwork?:bool
  hostPID?:bool hostIPC?:bool shareProcessNamespace?:*bool securityContext?:*PodSecurityContext
  imagePullSecrets?:[]LocalObjectReference hostname?:string subdomain?:string affinity?:*Affinity
  schedulerName?:string tolerations?:[]Toleration hostAliases?:[]HostAlias priorityClassName?:string
  priority?:*int32 dnsConfig?:*PodDNSConfig readinessGates?:[]PodReadinessGate runtimeClassName?:*string
  enableServiceLinks?:*bool preemptionPolicy?:*string overhead?:{}Quantity
  topologySpreadConstraints?:[]TopologySpreadConstraint setHostnameAsFQDN?:*bool os?:*PodOS hostUsers?:*bool
  schedulingGates?:[]PodSchedulingGate resourceClaims?:[]PodResourceClaim resources?:*ResourceRequirements
  hostnameOverride?:*string@34 workloadRef?:*WorkloadReference@35
Volume = name:string ...VolumeSource
VolumeSource = hostPath?:*HostPathVolumeSource emptyDir?:*EmptyDirVolumeSource
  gcePersistentDisk?:*GCEPersistentDiskVolumeSource awsElasticBlockStore?:*AWSElasticBlockStoreVolumeSource
  gitRepo?:*GitRepoVolumeSource secret?:*SecretVolumeSource nfs?:*NFSVolumeSource iscsi?:*ISCSIVolumeSource
  glusterfs?:*GlusterfsVolumeSource persistentVolumeClaim?:*PersistentVolumeClaimVolumeSource
  rbd?:*RBDVolumeSource flexVolume?:*FlexVolumeSource cinder?:*CinderVolumeSource
  cephfs?:*CephFSVolumeSource flocker?:*FlockerVolumeSource downwardAPI?:*DownwardAPIVolumeSource
  fc?:*FCVolumeSource azureFile?:*AzureFileVolumeSource configMap?:*ConfigMapVolumeSource
  vsphereVolume?:*VsphereVirtualDiskVolumeSource quobyte?:*QuobyteVolumeSource
  azureDisk?:*AzureDiskVolumeSource photonPersistentDisk?:*PhotonPersistentDiskVolumeSource
  projected?:*ProjectedVolumeSource portworxVolume?:*PortworxVolumeSource scaleIO?:*ScaleIOVolumeSource
  storageos?:*StorageOSVolumeSource csi?:*CSIVolumeSource ephemeral?:*EphemeralVolumeSource
  image?:*ImageVolumeSource
HostPathVolumeSource = path:string type?:*string
EmptyDirVolumeSource = medium?:string sizeLimit?:*Quantity
GCEPersistentDiskVolumeSource = pdName:string fsType?:string partition?:int32 readOnly?:bool
AWSElasticBlockStoreVolumeSource = volumeID:string fsType?:string partition?:int32 readOnly?:bool
GitRepoVolumeSource = repository:string revision?:string directory?:string
SecretVolumeSource = secretName?:string items?:[]KeyToPath defaultMode?:*int32 optional?:*bool
KeyToPath = key:string path:string mode?:*int32
NFSVolumeSource = server:string path:string readOnly?:bool
ISCSIVolumeSource = targetPortal:string iqn:string lun:int32 iscsiInterface?:string fsType?:string
  readOnly?:bool portals?:[]string chapAuthDiscovery?:bool chapAuthSession?:bool
  secretRef?:*LocalObjectReference initiatorName?:*string
LocalObjectReference = name?:string
GlusterfsVolumeSource = endpoints:string path:string readOnly?:bool
PersistentVolumeClaimVolumeSource = claimName:string readOnly?:bool
RBDVolumeSource = monitors:[]string image:string fsType?:string pool?:string user?:string keyring?:string
  secretRef?:*LocalObjectReference readOnly?:bool
FlexVolumeSource = driver:string fsType?:string secretRef?:*LocalObjectReference readOnly?:bool
  options?:{}string
CinderVolumeSource = volumeID:string fsType?:string readOnly?:bool secretRef?:*LocalObjectReference
CephFSVolumeSource = monitors:[]string path?:string user?:string secretFile?:string
  secretRef?:*LocalObjectReference readOnly?:bool
FlockerVolumeSource = datasetName?:string datasetUUID?:string
DownwardAPIVolumeSource = items?:[]DownwardAPIVolumeFile defaultMode?:*int32
DownwardAPIVolumeFile = path:string fieldRef?:*ObjectFieldSelector resourceFieldRef?:*ResourceFieldSelector
  mode?:*int32
ObjectFieldSelector = apiVersion?:string fieldPath:string
ResourceFieldSelector = containerName?:string resource:string divisor?:Quantity
FCVolumeSource = targetWWNs?:[]string lun?:*int32 fsType?:string readOnly?:bool wwids?:[]string
AzureFileVolumeSource = secretName:string shareName:string readOnly?:bool
ConfigMapVolumeSource = ...LocalObjectReference items?:[]KeyToPath defaultMode?:*int32 optional?:*bool
VsphereVirtualDiskVolumeSource = volumePath:string fsType?:string storagePolicyName?:string
  storagePolicyID?:string
QuobyteVolumeSource = registry:string volume:string readOnly?:bool user?:string group?:string tenant?:string
AzureDiskVolumeSource = diskName:string diskURI:string cachingMode?:*string fsType?:*string readOnly?:*bool
  kind?:*string
PhotonPersistentDiskVolumeSource = pdID:string fsType?:string
ProjectedVolumeSource = sources:[]VolumeProjection defaultMode?:*int32
VolumeProjection = secret?:*SecretProjection downwardAPI?:*DownwardAPIProjection
  configMap?:*ConfigMapProjection serviceAccountToken?:*ServiceAccountTokenProjection
  clusterTrustBundle?:*ClusterTrustBundleProjection podCertificate?:*PodCertificateProjection@34
SecretProjection = ...LocalObjectReference items?:[]KeyToPath optional?:*bool
DownwardAPIProjection = items?:[]DownwardAPIVolumeFile
ConfigMapProjection = ...LocalObjectReference items?:[]KeyToPath optional?:*bool
ServiceAccountTokenProjection = audience?:string expirationSeconds?:*int64 path:string
ClusterTrustBundleProjection = name?:*string signerName?:*string labelSelector?:*LabelSelector
  optional?:*bool path:string
PodCertificateProjection = signerName?:string keyType?:string maxExpirationSeconds?:*int32
  credentialBundlePath?:string keyPath?:string certificateChainPath?:string userAnnotations?:{}string@35
PortworxVolumeSource = volumeID:string fsType?:string readOnly?:bool
ScaleIOVolumeSource = gateway:string system:string secretRef:*LocalObjectReference sslEnabled?:bool
  protectionDomain?:string storagePool?:string storageMode?:string volumeName?:string fsType?:string
  readOnly?:bool
StorageOSVolumeSource = volumeName?:string volumeNamespace?:string fsType?:string readOnly?:bool
  secretRef?:*LocalObjectReference
CSIVolumeSource = driver:string readOnly?:*bool fsType?:*string volumeAttributes?:{}string
  nodePublishSecretRef?:*LocalObjectReference
EphemeralVolumeSource = volumeClaimTemplate?:*PersistentVolumeClaimTemplate
PersistentVolumeClaimTemplate = metadata?:ObjectMeta spec:PersistentVolumeClaimSpec
PersistentVolumeClaimSpec = accessModes?:[]string selector?:*LabelSelector
  resources?:VolumeResourceRequirements volumeName?:string storageClassName?:*string volumeMode?:*string
  dataSource?:*TypedLocalObjectReference dataSourceRef?:*TypedObjectReference
  volumeAttributesClassName?:*string
VolumeResourceRequirements = limits?:{}Quantity requests?:{}Quantity
TypedLocalObjectReference = apiGroup:*string kind:string name:string
TypedObjectReference = apiGroup:*string kind:string name:string namespace?:*string
ImageVolumeSource = reference?:string pullPolicy?:string
Container = name:string image?:string command?:[]string args?:[]string workingDir?:string
  ports?:[]ContainerPort envFrom?:[]EnvFromSource env?:[]EnvVar resources?:ResourceRequirements
  resizePolicy?:[]ContainerResizePolicy restartPolicy?:*string restartPolicyRules?:[]ContainerRestartRule@34
  volumeMounts?:[]VolumeMount volumeDevices?:[]VolumeDevice livenessProbe?:*Probe readinessProbe?:*Probe
  startupProbe?:*Probe lifecycle?:*Lifecycle terminationMessagePath?:string terminationMessagePolicy?:string
  imagePullPolicy?:string securityContext?:*SecurityContext stdin?:bool stdinOnce?:bool tty?:bool
ContainerPort = name?:string hostPort?:int32 containerPort:int32 protocol?:string hostIP?:string
EnvFromSource = prefix?:string configMapRef?:*ConfigMapEnvSource secretRef?:*SecretEnvSource
ConfigMapEnvSource = ...LocalObjectReference optional?:*bool
SecretEnvSource = ...LocalObjectReference optional?:*bool
EnvVar = name:string value?:string valueFrom?:*EnvVarSource
EnvVarSource = fieldRef?:*ObjectFieldSelector resourceFieldRef?:*ResourceFieldSelector
  configMapKeyRef?:*ConfigMapKeySelector secretKeyRef?:*SecretKeySelector fileKeyRef?:*FileKeySelector@34
ConfigMapKeySelector = ...LocalObjectReference key:string optional?:*bool
SecretKeySelector = ...LocalObjectReference key:string optional?:*bool
FileKeySelector = volumeName:string path:string key:string optional?:*bool
ResourceRequirements = limits?:{}Quantity requests?:{}Quantity claims?:[]ResourceClaim
ResourceClaim = name:string request?:string
ContainerResizePolicy = resourceName:string restartPolicy:string
ContainerRestartRule = action?:string exitCodes?:*ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes = operator?:string values?:[]int32
VolumeMount = name:string readOnly?:bool recursiveReadOnly?:*string mountPath:string subPath?:string
  mountPropagation?:*string subPathExpr?:string
VolumeDevice = name:string devicePath:string
Probe = ...ProbeHandler initialDelaySeconds?:int32 timeoutSeconds?:int32 periodSeconds?:int32
  successThreshold?:int32 failureThreshold?:int32 terminationGracePeriodSeconds?:*int64
ProbeHandler = exec?:*ExecAction httpGet?:*HTTPGetAction tcpSocket?:*TCPSocketAction grpc?:*GRPCAction
ExecAction = command?:[]string
HTTPGetAction = path?:string port:IntOrString host?:string scheme?:string httpHeaders?:[]HTTPHeader
HTTPHeader = name:string value:string
TCPSocketAction = port:IntOrString host?:string
GRPCAction = port:int32 service:*string
Lifecycle = postStart?:*LifecycleHandler preStop?:*LifecycleHandler stopSignal?:*string
LifecycleHandler = exec?:*ExecAction httpGet?:*HTTPGetAction tcpSocket?:*TCPSocketAction sleep?:*SleepAction
SleepAction = seconds:int64
SecurityContext = capabilities?:*Capabilities privileged?:*bool seLinuxOptions?:*SELinuxOptions
  windowsOptions?:*WindowsSecurityContextOptions runAsUser?:*int64 runAsGroup?:*int64 runAsNonRoot?:*bool
  readOnlyRootFilesystem?:*bool allowPrivilegeEscalation?:*bool procMount?:*string
  seccompProfile?:*SeccompProfile appArmorProfile?:*AppArmorProfile
Capabilities = add?:[]string drop?:[]string
SELinuxOptions = user?:string role?:string type?:string level?:string
WindowsSecurityContextOptions = gmsaCredentialSpecName?:*string gmsaCredentialSpec?:*string
  runAsUserName?:*string hostProcess?:*bool
SeccompProfile = type:string localhostProfile?:*string
AppArmorProfile = type:string localhostProfile?:*string
EphemeralContainer = ...EphemeralContainerCommon targetContainerName?:string
EphemeralContainerCommon = name:string image?:string command?:[]string args?:[]string workingDir?:string
  ports?:[]ContainerPort envFrom?:[]EnvFromSource env?:[]EnvVar resources?:ResourceRequirements
  resizePolicy?:[]ContainerResizePolicy restartPolicy?:*string restartPolicyRules?:[]ContainerRestartRule@34
  volumeMounts?:[]VolumeMount volumeDevices?:[]VolumeDevice livenessProbe?:*Probe readinessProbe?:*Probe
  startupProbe?:*Probe lifecycle?:*Lifecycle terminationMessagePath?:string terminationMessagePolicy?:string
  imagePullPolicy?:string securityContext?:*SecurityContext stdin?:bool stdinOnce?:bool tty?:bool
PodSecurityContext = seLinuxOptions?:*SELinuxOptions windowsOptions?:*WindowsSecurityContextOptions
  runAsUser?:*int64 runAsGroup?:*int64 runAsNonRoot?:*bool supplementalGroups?:[]int64
  supplementalGroupsPolicy?:*string fsGroup?:*int64 sysctls?:[]Sysctl fsGroupChangePolicy?:*string
  seccompProfile?:*SeccompProfile appArmorProfile?:*AppArmorProfile seLinuxChangePolicy?:*string
Sysctl = name:string value:string
Affinity = nodeAffinity?:*NodeAffinity podAffinity?:*PodAffinity podAntiAffinity?:*PodAntiAffinity
NodeAffinity = requiredDuringSchedulingIgnoredDuringExecution?:*NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution?:[]PreferredSchedulingTerm
NodeSelector = nodeSelectorTerms:[]NodeSelectorTerm
NodeSelectorTerm = matchExpressions?:[]NodeSelectorRequirement matchFields?:[]NodeSelectorRequirement
NodeSelectorRequirement = key:string operator:string values?:[]string
PreferredSchedulingTerm = weight:int32 preference:NodeSelectorTerm
PodAffinity = requiredDuringSchedulingIgnoredDuringExecution?:[]PodAffinityTerm
  preferredDuringSchedulingIgnoredDuringExecution?:[]WeightedPodAffinityTerm
PodAffinityTerm = labelSelector?:*LabelSelector namespaces?:[]string topologyKey:string
  namespaceSelector?:*LabelSelector matchLabelKeys?:[]string mismatchLabelKeys?:[]string
WeightedPodAffinityTerm = weight:int32 podAffinityTerm:PodAffinityTerm
PodAntiAffinity = requiredDuringSchedulingIgnoredDuringExecution?:[]PodAffinityTerm
  preferredDuringSchedulingIgnoredDuringExecution?:[]WeightedPodAffinityTerm
Toleration = key?:string operator?:string value?:string effect?:string tolerationSeconds?:*int64
HostAlias = ip:string hostnames?:[]string
PodDNSConfig = nameservers?:[]string searches?:[]string options?:[]PodDNSConfigOption
PodDNSConfigOption = name?:string value?:*string
PodReadinessGate = conditionType:string
TopologySpreadConstraint = maxSkew:int32 topologyKey:string whenUnsatisfiable:string
  labelSelector?:*LabelSelector minDomains?:*int32 nodeAffinityPolicy?:*string nodeTaintsPolicy?:*string
  matchLabelKeys?:[]string
PodOS = name:string
PodSchedulingGate = name:string
PodResourceClaim = name:string resourceClaimName?:*string resourceClaimTemplateName?:*string
WorkloadReference = name:string podGroup:string podGroupReplicaKey?:string
DeploymentStrategy = type?:string rollingUpdate?:*RollingUpdateDeployment
RollingUpdateDeployment = maxUnavailable?:*IntOrString maxSurge?:*IntOrString
DeploymentStatus = observedGeneration?:int64 replicas?:int32 updatedReplicas?:int32 readyReplicas?:int32
  availableReplicas?:int32 unavailableReplicas?:int32 terminatingReplicas?:*int32
  conditions?:[]DeploymentCondition collisionCount?:*int32
DeploymentCondition = type:string status:string lastUpdateTime?:Time lastTransitionTime?:Time reason?:string
  message?:string
DaemonSet = ...TypeMeta metadata?:ObjectMeta spec?:DaemonSetSpec status?:DaemonSetStatus
DaemonSetSpec = selector:*LabelSelector template:PodTemplateSpec updateStrategy?:DaemonSetUpdateStrategy
  minReadySeconds?:int32 revisionHistoryLimit?:*int32
DaemonSetUpdateStrategy = type?:string rollingUpdate?:*RollingUpdateDaemonSet
RollingUpdateDaemonSet = maxUnavailable?:*IntOrString maxSurge?:*IntOrString
DaemonSetStatus = currentNumberScheduled:int32 numberMisscheduled:int32 desiredNumberScheduled:int32
  numberReady:int32 observedGeneration?:int64 updatedNumberScheduled?:int32 numberAvailable?:int32
  numberUnavailable?:int32 collisionCount?:*int32 conditions?:[]DaemonSetCondition
DaemonSetCondition = type:string status:string lastTransitionTime?:Time reason?:string message?:string
`;
