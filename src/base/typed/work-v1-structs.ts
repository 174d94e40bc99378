/**
 * The Go structs of a ManifestWork that add-ons and ManifestWorkReplicaSets fill, as open-cluster-management.io/api v1.3.0
 * declares them, in the notation of `apps-v1-structs.ts`.
 */
export const workV1Structs = `
ManifestWorkSpec = workload?:ManifestsTemplate deleteOption?:*DeleteOption manifestConfigs?:[]ManifestConfigOption
  executor?:*ManifestWorkExecutor
ManifestsTemplate = manifests?:[]RawExtension
ManifestWorkExecutor = subject:ManifestWorkExecutorSubject
ManifestWorkExecutorSubject = type:string serviceAccount?:*ManifestWorkSubjectServiceAccount
ManifestWorkSubjectServiceAccount = namespace:string name:string
DeleteOption = propagationPolicy:string selectivelyOrphans?:*SelectivelyOrphan ttlSecondsAfterFinished?:*int64
SelectivelyOrphan = orphaningRules?:[]ResourceIdentifier
ManifestConfigOption = resourceIdentifier:ResourceIdentifier feedbackRules?:[]FeedbackRule
  updateStrategy?:*UpdateStrategy conditionRules?:[]ConditionRule feedbackScrapeType?:string
ResourceIdentifier = group:string resource:string name:string namespace:string
FeedbackRule = type:string jsonPaths?:[]JsonPath
JsonPath = name:string version?:string path:string
UpdateStrategy = type?:string serverSideApply?:*ServerSideApplyConfig
ServerSideApplyConfig = force:bool fieldManager?:string ignoreFields?:[]IgnoreField
IgnoreField = condition:string jsonPaths?:[]string jsonPointers?:[]string jqPathExpressions?:[]string
ConditionRule = condition:string type:string celExpressions:[]string message:string messageExpression:string
`;
