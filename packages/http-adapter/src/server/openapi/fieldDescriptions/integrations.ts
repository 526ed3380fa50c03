import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `integrations`, by component, operation or event, and path. */
export const integrationsFields: FieldDescriptions = {
  "plugin.failed": {
    "data.code":
      "`lifecycle_failed`: no valid answer to a lifecycle call. `deliveries_failed`: no event accepted for five days, or 410."
  },
  "plugin.installed": {
    "data.key": "Key of the plugin.",
    "data.version": "Installed version of the plugin, for example `1.4.0`."
  },
  "plugin.uninstalled": { "data.key": "Key of the plugin." },
  "plugin.updated": { "data.fields": "Changed settings, for example `settings.region`." },
  "plugin.upgraded": {
    "data.from": "Version before the upgrade.",
    "data.to": "Version after the upgrade."
  },
  "webhook_subscription.disabled": {
    "data.reason":
      "`gone`: the receiver answered 410. `failing`: five days without a success. `manual`: a caller disabled it."
  },
  "webhook_subscription.updated": { "data.fields": "Names of the changed fields, for example `url`." },
  EventType: {
    type: "Type of the event or delivery.",
    version: "Version of the body, always `v1`."
  },
  FeedEvent: {
    position: "Position of the event in the feed, from 1.",
    at: "Time of the event in UTC.",
    actor: "User, automation token or other actor that caused the event.",
    event: "Type and facts of the event.",
    "event.type": "Type of the event, which decides its other fields.",
    "event.kind": "Of a job, its kind, for example `contacts.import`; of a message, its kind.",
    "event.state": "Final state of the job or workflow run.",
    "event.from": "Value before the change.",
    "event.to": "Value after the change.",
    "event.role": "Role of the member.",
    "event.imported": "True for contacts from the first import of a store; otherwise absent.",
    "event.fields": "Names of the changed fields.",
    "event.attributes": "Keys of the changed contact fields; absent for none.",
    "event.callId": "Id of the call of the trigger URL.",
    "event.purpose": "Purpose of the consent, always `marketing`.",
    "event.through": "`import` or `merge`: the change comes from an import or a merge; absent for other changes.",
    "event.contactId": "Id of the contact; null if none is known, or if the contact was erased.",
    "event.mergedId": "Id of the contact that became part of this one.",
    "event.restoredId": "Id of the restored contact.",
    "event.otherId": "Id of the other contact.",
    "event.source": "Origin of the evidence: the chat provider (`chat`) or a row of a file (`import`).",
    "event.erased": "Whether the personal data was erased, too.",
    "event.action": "Bulk change of the contacts.",
    "event.changed": "Number of changed contacts.",
    "event.unsubscribed": "Number of contacts whose consent became `unsubscribed`; absent if 0.",
    "event.jobId": "Id of the job; null if no job made a bulk change.",
    "event.created": "Number of rows that created a contact.",
    "event.updated": "Number of rows that changed a contact.",
    "event.into": "Id of the tag that replaces this tag.",
    "event.topic": "Topic of the notice of the chat provider.",
    "event.event": "Name of the notice at the chat provider, for example `PIN_CHANGED`.",
    "event.detail": "Details of the notice; null without them.",
    "event.category": "Announced category of the template.",
    "event.at": "Time of the category change in UTC; null if the provider reports none.",
    "event.status": "`resolved` if the conversation needs no action; absent if it is open.",
    "event.bulk": "True for a bulk change, which starts no automation or workflow; otherwise absent.",
    "event.awaits": "Whether the wait of the contact for an answer `begins` or `ends`; absent if neither.",
    "event.assigneeId": "Id of the assigned user; null if the conversation is unassigned.",
    "event.reason": "Reason of the end, the abort, the disabling or the status change; null without one.",
    "event.refusal": "Refusal that stopped the broadcast; otherwise absent.",
    "event.stats": "Numbers of recipients of the broadcast.",
    "event.amount": "Refunded amount.",
    "event.key": "Key of the plugin.",
    "event.version": "Installed version of the plugin, for example `1.4.0`.",
    "event.code": "Code of the failure of the plugin, as in `lastError`.",
    "event.publishedVersion": "Number of the published version.",
    "event.runs": "`finish`: live runs continue to their end. `exit`: live runs exit.",
    "event.workflowVersion": "Version of the run.",
    "event.goalId": "Id of the goal in the graph."
  },
  NewEndpoint: {
    provider: "Chat provider with its own URL for each account, for example `webhook`.",
    displayName: "Name of the account for people.",
    url: "Address that receives the messages of the account."
  },
  NewPlugin: { settings: "Values of the settings by name, as the manifest requires. Default: none." },
  Plugin: {
    key: "Key of the plugin, chosen by its publisher; it identifies the plugin in the catalogue.",
    name: "Name of the plugin.",
    manifest: "Manifest of the installed version.",
    status:
      "`installing` until the plugin answers its first call, `enabled`, `disabled` by a caller, or `failed` (see `lastError`).",
    lastError: "Reason why the plugin gets nothing; null without one."
  },
  OwnPlugin: {
    key: "Key of the plugin, chosen by its publisher; it identifies the plugin in the catalogue.",
    name: "Name of the plugin.",
    status:
      "`installing` until the plugin answers its first call, `enabled`, `disabled` by a caller, or `failed` (see `lastError`).",
    organization: "Organization of the installation.",
    "organization.id": "Id of the organization.",
    "organization.name": "Name of the organization.",
    "actions.key": "Key of the action.",
    "actions.path": "Path of the action below `baseUrl`.",
    lastError: "Reason why the plugin gets nothing; null without one."
  },
  CataloguedPlugin: { manifest: "Manifest of the version in the catalogue." },
  PluginAction: {
    key: "Key of the action.",
    path: "Path of the action below `baseUrl`.",
    timeoutSeconds: "Time limit of an answer in seconds, 1 to 30."
  },
  PluginCall: {
    action: "Key of the action.",
    state:
      "`pending`: the request is due. `awaiting_completion`: the plugin answered 202 to a workflow. `done` and `failed` are final.",
    error: "Reason of the failure; null unless the call failed."
  },
  PluginCallCompletion: {
    error: "Reason of a refusal. Either this or `output`.",
    "error.code": "Code of the plugin, up to 100 characters.",
    "error.message": "Explanation for people, up to 500 characters."
  },
  PluginCallEndedProblem: { state: "Current state of the call; only `awaiting_completion` can be completed." },
  PluginCallError: {
    code: "Code of the failure; with `plugin_refused`, the plugin gave the reason.",
    pluginCode: "Code of the plugin; null unless the plugin refused.",
    message: "Explanation for people."
  },
  PluginCallLog: {
    caller: "`automation` or `workflow`: kind of the run that called the action.",
    at: "Time of the call in UTC."
  },
  PluginError: {
    code: "`lifecycle_failed`, `deliveries_failed`, or `feature_not_in_plan` while the plan does not include plugins.",
    message: "Explanation for people.",
    at: "Time of the failure in UTC; null for `feature_not_in_plan`."
  },
  PluginInUseProblem: {
    usedBy: "Resources that call the plugin.",
    "usedBy.kind": "Kind of the resource: `automation` or `workflow`.",
    "usedBy.id": "Id of the automation or workflow."
  },
  PluginManifest: {
    manifestVersion: "Version of the format of the manifest, always 1.",
    key: "Key of the plugin, 3 to 40 characters of `a-z`, `0-9` and hyphens.",
    version: "Version of the plugin as three numbers, for example `1.4.0`.",
    name: "Name of the plugin.",
    publisher: "Publisher of the plugin.",
    "publisher.name": "Name of the publisher.",
    "publisher.url": "Website of the publisher.",
    "events.path": "Path below `baseUrl` that receives events.",
    "events.types": "Event types, prefixes such as `order.*`, or `*`, at most 100.",
    "events.payloadVersion": "Version of the body of events, always `v1`.",
    permissions: "Permissions that the plugin requests.",
    actions: "Actions that the plugin performs, at most 20. Default: none."
  },
  PluginSupplied: {
    key: "Key of the plugin, chosen by its publisher; it identifies the plugin in the catalogue.",
    name: "Name of the plugin.",
    manifest: "Manifest of the installed version.",
    status:
      "`installing` until the plugin answers its first call, `enabled`, `disabled` by a caller, or `failed` (see `lastError`).",
    lastError: "Reason why the plugin gets nothing; null without one.",
    token: "Token of the plugin. Only for plugins without a `lifecycle`, and in this answer only.",
    secret: "Signing secret of the calls. Only for plugins without a `lifecycle`, and in this answer only."
  },
  PluginUpdate: {
    version: "Newest version in the catalogue, for example `1.4.0`.",
    permissions: "Permissions of the new version, compared with the installed one.",
    "permissions.added": "Permissions that only the new version has.",
    "permissions.removed": "Permissions that only the installed version has.",
    events: "Event types of the new version, compared with the installed one.",
    "events.added": "Event types that only the new version has.",
    "events.removed": "Event types that only the installed version has.",
    actions: "Keys of actions of the new version, compared with the installed one.",
    "actions.added": "Keys of actions that only the new version has.",
    "actions.removed": "Keys of actions that only the installed version has.",
    hosts: "Hosts of the new version, compared with the installed one.",
    "hosts.added": "Hosts that only the new version has.",
    "hosts.removed": "Hosts that only the installed version has."
  },
  PluginUpgrade: {
    grants:
      "All permissions that the new version requests; required if it requests more permissions or has another scheme, host or port."
  },
  PluginVersionUnavailableProblem: { available: "Newer version in the catalogue; null if there is none." },
  PublishedEventTypes: { data: "All types of events, then the other types of deliveries." },
  ReplayRequest: {
    since: "Events at this time or later, up to 30 days back. Use either this or `after`.",
    until: "Events before this time. Default: now."
  },
  RotatedPluginSecret: {
    token: "New token of the plugin. Only for plugins without a `lifecycle`, and in this answer only.",
    secret: "New signing secret of the calls. Only for plugins without a `lifecycle`, and in this answer only.",
    previousSecretExpiresAt: "End of the previous secret and token in UTC."
  },
  RotatedSecret: {
    secret: "New signing secret of the deliveries; it is in this answer only.",
    previousSecretExpiresAt: "End of the previous secret in UTC; until then, deliveries have both signatures."
  },
  WebhookAttempt: {
    number: "Number of the attempt, from 1.",
    at: "Time of the request in UTC.",
    trigger: "`scheduled`, `redeliver` on request, `probe` while the circuit is open, or `test`.",
    durationMs: "Duration of the request in milliseconds.",
    status: "HTTP status of the answer; null without an answer.",
    error:
      "`timeout`, `refused` (the receiver refused or closed the connection), `dns`, `tls`, `not_public` (address), `redirected` (3xx), or `status` (no 2xx); null for a success."
  },
  WebhookDelivery: {
    type: "Type of the event, or `automation.call` for a call of an automation or workflow.",
    state:
      "`pending`, `delivered`, `failed` after the last attempt or after 72 hours behind an open circuit, or `discarded` because it must not be sent.",
    attempts: "Number of attempts so far, of all kinds.",
    nextAttemptAt: "Time of the next attempt in UTC; null unless the delivery is `pending`.",
    deliveredAt: "Time of the latest success in UTC; null before the first one."
  },
  WebhookDeliveryLog: {
    type: "Type of the event, or `automation.call` for a call of an automation or workflow.",
    state:
      "`pending`, `delivered`, `failed` after the last attempt or after 72 hours behind an open circuit, or `discarded` because it must not be sent.",
    attempts: "Number of attempts so far, of all kinds.",
    nextAttemptAt: "Time of the next attempt in UTC; null unless the delivery is `pending`.",
    deliveredAt: "Time of the latest success in UTC; null before the first one.",
    log: "Last 100 attempts, newest first."
  },
  WebhookEnvelope: {
    timestamp: "Time of the event in UTC.",
    version: "Version of the body, always `v1`.",
    actor: "User, automation token or other actor that caused the event."
  },
  WebhookSubscribed: {
    name: "Name of the subscription for people.",
    url: "Address that receives the deliveries, with `https` and a public host name.",
    events:
      "Event types, prefixes such as `order.*`, or `*` for all visible types; empty for calls of automations only.",
    filter: "Filter of the events; an empty filter matches all.",
    payload: "`thin`: only the event with its ids. `full`: also the resource of the event, as at the attempt.",
    payloadVersion: "Version of the body, always `v1`; fields can be added to it.",
    ordering:
      "`none`: up to five concurrent requests. `subject`: one at a time for each contact or other resource, in sequence.",
    status: "Whether the subscription gets deliveries.",
    disabledReason:
      "`gone`: the receiver answered 410. `failing`: five days without a success. `manual`: a caller disabled it. Null while it is enabled.",
    lastSuccessAt: "Time of the last successful delivery in UTC; null before the first one.",
    secret: "Signing secret of the deliveries. It is in this answer only."
  },
  WebhookSubscription: {
    name: "Name of the subscription for people.",
    url: "Address that receives the deliveries, with `https` and a public host name.",
    events:
      "Event types, prefixes such as `order.*`, or `*` for all visible types; empty for calls of automations only.",
    filter: "Filter of the events; an empty filter matches all.",
    payload: "`thin`: only the event with its ids. `full`: also the resource of the event, as at the attempt.",
    payloadVersion: "Version of the body, always `v1`; fields can be added to it.",
    ordering:
      "`none`: up to five concurrent requests. `subject`: one at a time for each contact or other resource, in sequence.",
    status: "Whether the subscription gets deliveries.",
    disabledReason:
      "`gone`: the receiver answered 410. `failing`: five days without a success. `manual`: a caller disabled it. Null while it is enabled.",
    lastSuccessAt: "Time of the last successful delivery in UTC; null before the first one."
  },
  NewWebhookSubscription: {
    filter: "Filter of the events. Default: `{}`, which matches all.",
    payload:
      "`thin`: only the event with its ids. `full`: also the resource of the event, as at the attempt. Default: `thin`.",
    payloadVersion: "Version of the body. Default: `v1`.",
    ordering:
      "`none`: up to five concurrent requests. `subject`: one at a time for each contact or other resource, in sequence. Default: `none`."
  },
  WebhookSubscriptionInUseProblem: {
    usedBy: "Resources that call the subscription.",
    "usedBy.kind": "Kind of the resource: `automation` or `workflow`.",
    "usedBy.id": "Id of the automation or workflow."
  },
  WebhookTest: { type: "Event type of the example. Default: `webhook.test`." },
  WebhookUrls: {
    number: "Address that receives the events of the number first; null without one.",
    businessAccount: "Address of the business account, which counts without one of the number; null without one.",
    app: "Address of the app, which counts without the other two; null without one."
  }
}
