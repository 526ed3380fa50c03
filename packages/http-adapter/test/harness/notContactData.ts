/**
 * All texts in answers that are not contact data, by component and fields. A new text field fails the test until it has a `shownWith` annotation, or
 * until this list contains it because it cannot hold contact data.
 */
const fieldsByComponent: Readonly<Record<string, string>> = {
  Action: "action attributes.* body evidence headers.* input.* labels name source text url",
  ActionEffect: "id",
  ActionError: "code detail pointer variable",
  ActionTemplate: "values.*",
  ActorRef: "id",
  AgentFigures: "name",
  AnalyticsAgents: "from timezone to",
  AnalyticsBroadcasts: "from timezone to",
  AnalyticsCostRow: "currency key name",
  AnalyticsCosts: "from timezone to",
  AnalyticsDay: "date",
  AnalyticsHeatmap: "from timezone to",
  AnalyticsLive: "timezone",
  AnalyticsOverview: "load.agents.name period.timezone",
  AnalyticsSeries: "buckets from series.currency timezone to",
  AuditEvent: "action requestId",
  AuditTarget: "id kind",
  AudiencePreviewNote: "detail pointer",
  AudiencePreviewWarning: "detail pointer",
  AuthenticationContent: "apps.packageName apps.signatureHash autofillText copyText text",
  Automation: "name",
  AutomationAction: "action attributes.* body evidence headers.* id input.* labels name source text url",
  AutomationRun: "event.type",
  Broadcast: "name splitKey",
  BroadcastFailure: "code detail",
  BroadcastRefusal: "reason",
  BroadcastRetry: "codes",
  BroadcastRow: "name",
  BroadcastSchedule: "localAt",
  BroadcastSettings: "optInKeywords.* optOutReply.* optOutKeywords.*",
  BroadcastSimulation: "warnings.detail",
  BroadcastTestResult: "to",
  BroadcastValue: "fallback key source value",
  CannedReply: "shortcut text",
  CarouselCard: "body button.label button.url replies.id replies.title",
  CataloguedPlugin: "key name",
  ChatAccount:
    "displayName externalAccountId externalPhoneId messagingAccountId messagingLimit phone provider " +
    "registrationPin signingSecret url verifyToken webhookUrl",
  ChatAccountError: "reason",
  ChatAccountRestriction: "type",
  ColumnTarget: "column target",
  Condition: "field key op value",
  ConditionExplanation: "field key op value",
  ContactAutomationRun: "name",
  ContactField: "choices key name",
  ContactFilter: "field key op value",
  ContactImport: "country error unknownColumns",
  ContactWorkflowRun: "name",
  ConversationBulkResult: "refused.code refused.detail",
  CostEstimate: "currency",
  DocsHandoff: "url",
  EventFilter: "field op value",
  EventType: "example.* headers schema.* type",
  ExplainedWorkflowRun: "endedBy event.type goals node startedBy.type",
  Fault: "message pointer",
  FeedEvent: "cursor",
  FilterFieldDescription: "choices field key name operators.op resource",
  HealthEntity: "externalId issues.reason issues.solution limits",
  Holiday: "date name spans",
  ImportColumn: "field name",
  Interactive:
    "body button buttons.id buttons.title catalogId currency data.* description discount.description " +
    "discount.discountProgramName flow.id flow.name footer header.text items.name items.retailerId label " +
    "payload paymentSettings.* paymentType productId productIds referenceId savedAddresses.id " +
    "savedAddresses.value.address savedAddresses.value.building_name savedAddresses.value.city " +
    "savedAddresses.value.floor_number savedAddresses.value.house_number savedAddresses.value.in_pin_code " +
    "savedAddresses.value.landmark_area savedAddresses.value.name savedAddresses.value.phone_number " +
    "savedAddresses.value.state savedAddresses.value.tower_number screen sections.productIds " +
    "sections.rows.description sections.rows.id sections.rows.title sections.title shipping.description " +
    "shipping.discountProgramName tax.description tax.discountProgramName thumbnailProductId token url " +
    "validationErrors.address validationErrors.building_name validationErrors.city " +
    "validationErrors.floor_number validationErrors.house_number validationErrors.in_pin_code " +
    "validationErrors.landmark_area validationErrors.name validationErrors.phone_number validationErrors.state " +
    "validationErrors.tower_number values.address values.building_name values.city values.floor_number " +
    "values.house_number values.in_pin_code values.landmark_area values.name values.phone_number values.state " +
    "values.tower_number",
  InteractiveHeader: "filename text",
  InvitedMember: "invitation.url",
  IssuedAutomationToken: "name",
  Job: "error kind resultUrl",
  JsonWebKey: "alg crv kid kty use x",
  LibraryTemplate:
    "body bodyExamples bodyTypes buttons.phone buttons.text buttons.type buttons.url header id industries language name topic useCase",
  ListedAutomationToken: "name",
  MessageRate: "country currency validFrom",
  MyOrganization: "name slug",
  LoginAnswer: "organizations.name",
  Member: "email name",
  MessageError: "code dueAt reason",
  MessageTemplate: "externalId language libraryName name rejectionAdvice rejectionReason statusReason",
  MessageCost: "currency",
  Money: "currency",
  NewMessage:
    "caption link contacts.addresses.city contacts.addresses.country contacts.addresses.countryCode " +
    "contacts.addresses.state contacts.addresses.street contacts.addresses.type contacts.addresses.zip " +
    "contacts.birthday contacts.emails.email contacts.emails.type contacts.name contacts.nameParts.first " +
    "contacts.nameParts.last contacts.nameParts.middle contacts.nameParts.prefix contacts.nameParts.suffix " +
    "contacts.organization.company contacts.organization.department contacts.organization.title " +
    "contacts.phones.type contacts.phones.waId contacts.urls.type contacts.urls.url emoji location.address " +
    "location.name payload.* template.name template.values.* text",
  NumberDetails: "verifiedName",
  OnboardingChecklist: "token.appId token.scopes",
  OnboardingStep: "action link providerReason",
  Organization: "currency locale name slug timezone",
  PendingStoreConnection: "authorizeUrl currency name provider scopes shopDomain",
  PlatformApp: "appId signupConfigurationId webhookPath",
  OwnPlugin: "actions.key actions.path events key name organization.name settings.* version",
  Plugin: "key name settings.*",
  PluginAction: "input.* key output.* path",
  PluginCall: "action",
  PluginCallError: "message pluginCode",
  PluginCallLog: "action runId",
  PluginError: "message",
  PluginManifest: "baseUrl events.path events.types key lifecycle name publisher.name publisher.url settings.* version",
  PluginSupplied: "key name settings.*",
  PluginUpdate: "actions.added actions.removed events.added events.removed hosts.added hosts.removed version",
  PrivacyRequest: "reason",
  Product: "externalId imageUrl title url",
  ProductVariant: "externalId sku title",
  QuietHours: "from to",
  RateCard: "currency validFrom",
  RecipientChoice: "value",
  RecipientEntry: "name",
  RevenueChange: "currency",
  RevenueFigures: "currency",
  Schedule: "name timezone",
  Segment: "name",
  SendWindow: "from to",
  SkippedRecord: "externalId reason",
  StoreAuthorization: "authorizeUrl",
  StoreCode: "organization.name",
  StoreConnection: "currency name provider scopes shopDomain",
  StoreCustomer: "externalId",
  StoreError: "reason",
  Tag: "color name",
  TemplateButton:
    "appDeepLink.androidDeepLink appDeepLink.androidFallbackPlaystoreUrl appDeepLink.metaAppId example flowId " +
    "flowName phone screen text url",
  TemplateCard: "body.examples.* body.text header.link",
  TemplateComponents: "body.examples.* body.text footer.text limitedTimeOffer.text unsupported",
  TemplateHeader: "examples.* link text",
  TemplatePreview:
    "body buttons.text buttons.type buttons.value cards.body cards.buttons.text cards.buttons.type " +
    "cards.buttons.value cards.header footer header limitedTimeOffer",
  TemplateVariable: "key",
  Trigger: "cron field fields localTime timezone",
  User: "avatarUrl email name",
  WebhookAttemptRequest: "bodySha256 headers.*",
  WebhookDelivery: "type",
  WebhookDeliveryLog: "type",
  WebhookSubscribed: "events name url",
  WebhookSubscription: "events name url",
  WebhookUrls: "app businessAccount number",
  Week: "fri mon sat sun thu tue wed",
  Workflow: "name",
  WorkflowAction: "id next onError.to",
  WorkflowBranch: "branches.next else id",
  WorkflowEnd: "id",
  WorkflowEntry: "next",
  WorkflowExit: "id",
  WorkflowGoal: "id",
  WorkflowLocalMoment: "localTime",
  WorkflowRun: "endedBy event.type goals node startedBy.type",
  WorkflowSplit: "id paths.next",
  WorkflowStep: "node",
  WorkflowTestResult: "goals",
  WorkflowTestStep: "node",
  WorkflowWait: "id next",
  WorkflowWaitFor: "id next timeout",
  "chatWebhooks.verifyOwn": "",
  "chatWebhooks.verifyOwnUnderPrefix": "",
  "chatWebhooks.verifyPlatform": "",
  "chatWebhooks.verifyPlatformUnderPrefix": "",
  "workflows.draw": ""
}

/** The same for events, by type. Events contain ids only. */
const fieldsByEvent: Readonly<Record<string, string>> = {
  "automation.due": "date dueAt",
  "broadcast.status_changed": "reason",
  // Terms of the provider about the business, its names and its numbers.
  "chat_account.notice": "detail event",
  "contact.updated": "attributes fields",
  "contacts.changed": "jobId",
  "contacts.imported": "jobId",
  "conversation.updated": "fields",
  "job.finished": "kind",
  "job.started": "kind",
  "message.updated": "fields",
  "plugin.installed": "key version",
  "plugin.uninstalled": "key",
  "plugin.updated": "fields",
  "plugin.upgraded": "from to",
  "webhook_subscription.updated": "fields",
  "workflow.goal_reached": "goalId",
  "workflow.run_continued": "nodeId"
}

const names = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).flatMap(([owner, list]) =>
    list === "" ? [owner] : list.split(" ").map((field) => `${owner}.${field}`)
  )

/** Texts in answers that cannot contain contact data. */
export const notContactData: ReadonlySet<string> = new Set(names(fieldsByComponent))

/** Texts in events that cannot contain contact data. */
export const notContactDataInEvents: ReadonlySet<string> = new Set([
  ...names(fieldsByEvent),
  // The provider refused a template or an account, not a recipient.
  "BroadcastRefusal.reason",
  "Money.currency"
])

/** Times at which something continues that no time zone of a contact decides. */
export const notContactClocks: ReadonlySet<string> = new Set([
  "Broadcast.recipientsKeptUntil",
  "MessageTemplate.statusUntil",
  "PrivacyRequest.dueAt"
])
