import type { Ports } from "@parley/domain/composition"
import type { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { actingSuite } from "./acting.ts"
import { admissionSuite } from "./admission.ts"
import { auditSuite } from "./audit.ts"
import { authenticationSuite } from "./authentication.ts"
import { automationsSuite } from "./automations.ts"
import { automationTriggersSuite } from "./automationTriggers.ts"
import { browsersSuite } from "./browsers.ts"
import { broadcastsSuite } from "./broadcasts.ts"
import { recipientsSuite } from "./recipients.ts"
import { commerceSuite } from "./commerce.ts"
import { retriesSuite } from "./retries.ts"
import { storeConnectionsSuite } from "./storeConnections.ts"
import { storeWebhooksSuite } from "./storeWebhooks.ts"
import { cannedRepliesSuite } from "./cannedReplies.ts"
import { changeRequestsSuite } from "./changeRequests.ts"
import { changesSuite } from "./changes.ts"
import { chatAccountsSuite } from "./chatAccounts.ts"
import { chatWebhooksSuite } from "./chatWebhooks.ts"
import { contactBulkSuite } from "./contactBulk.ts"
import { contactClocksSuite } from "./contactClocks.ts"
import { contactFieldsSuite } from "./contactFields.ts"
import { contactListsSuite } from "./contactLists.ts"
import { contactMergesSuite } from "./contactMerges.ts"
import { contactPrivacySuite } from "./contactPrivacy.ts"
import { contactRunsSuite } from "./contactRuns.ts"
import { contactSecrecySuite } from "./contactSecrecy.ts"
import { contactsSuite } from "./contacts.ts"
import { contactTransferSuite } from "./contactTransfer.ts"
import { conversationsSuite } from "./conversations.ts"
import { docsHandoffSuite } from "./docsHandoff.ts"
import { eventsSuite } from "./events.ts"
import { faultsSuite } from "./faults.ts"
import { hostileSuite } from "./hostile.ts"
import { idempotencySuite } from "./idempotency.ts"
import { importSecrecySuite } from "./importSecrecy.ts"
import { inputSuite } from "./input.ts"
import { jobsSuite } from "./jobs.ts"
import { journeysSuite } from "./journeys.ts"
import { listRequestsSuite } from "./listRequests.ts"
import { listsSuite } from "./lists.ts"
import { meSuite } from "./me.ts"
import { mediaSuite } from "./media.ts"
import { membersSuite } from "./members.ts"
import { messagesSuite } from "./messages.ts"
import { messageTemplatesSuite } from "./messageTemplates.ts"
import { narrowTokensSuite } from "./narrowTokens.ts"
import { notesSuite } from "./notes.ts"
import { operatorAdmissionSuite } from "./operatorAdmission.ts"
import { operatorRateCardsSuite } from "./operatorRateCards.ts"
import { organizationSuite } from "./organization.ts"
import { organizationHeaderSuite } from "./organizationHeader.ts"
import { passwordsSuite } from "./passwords.ts"
import { pluginReadsSuite } from "./pluginReads.ts"
import { problemsSuite } from "./problems.ts"
import { rateLimitsSuite } from "./rateLimits.ts"
import { requestIdsSuite } from "./requestIds.ts"
import { rolesSuite } from "./roles.ts"
import { secrecySuite } from "./secrecy.ts"
import { segmentsSuite } from "./segments.ts"
import { sessionsSuite } from "./sessions.ts"
import { tagsSuite } from "./tags.ts"
import { tokenRightsSuite } from "./tokenRights.ts"
import { tokensSuite } from "./tokens.ts"
import { webhookSubscriptionsSuite } from "./webhookSubscriptions.ts"
import { withdrawnAnswersSuite } from "./withdrawnAnswers.ts"
import { workflowsSuite } from "./workflows.ts"

/**
 * What holds of each resource: in memory and under row level security, where every endpoint does at least once what it is for
 * (the last suite), because whose rows a statement reaches shows only where it runs.
 */
export const resourceSuites = <E>(ports: Layer.Layer<Ports, E>) => {
  authenticationSuite("authentication", ports)
  organizationHeaderSuite("organizations and strangers", ports)
  rateLimitsSuite("rate limits", ports)
  listsSuite("lists", ports)
  changesSuite("changes", ports)
  sessionsSuite("sessions", ports)
  passwordsSuite("passwords", ports)
  meSuite("me", ports)
  organizationSuite("the organization", ports)
  membersSuite("members", ports)
  tokensSuite("automation tokens", ports)
  tokenRightsSuite("the rights of automation tokens", ports)
  broadcastsSuite("broadcasts", ports)
  recipientsSuite("recipients of broadcasts", ports)
  retriesSuite("broadcasts that are tried again", ports)
  automationsSuite("automations", ports)
  automationTriggersSuite("automation triggers", ports)
  workflowsSuite("workflows", ports)
  jobsSuite("jobs", ports)
  actingSuite("acting and asking with less", ports)
  contactsSuite("contacts", ports)
  contactListsSuite("lists of contacts", ports)
  contactMergesSuite("merged contacts", ports)
  contactBulkSuite("many contacts", ports)
  contactRunsSuite("runs for contacts", ports)
  contactPrivacySuite("privacy of contacts", ports)
  contactSecrecySuite("data of contacts", ports)
  contactClocksSuite("clocks of contacts", ports)
  contactTransferSuite("contacts in files", ports)
  importSecrecySuite("data of contacts in imports", ports)
  tagsSuite("tags", ports)
  contactFieldsSuite("contact fields", ports)
  segmentsSuite("segments", ports)
  chatAccountsSuite("chat accounts", ports)
  messageTemplatesSuite("message templates", ports)
  conversationsSuite("conversations", ports)
  messagesSuite("messages", ports)
  notesSuite("notes", ports)
  cannedRepliesSuite("canned replies", ports)
  commerceSuite("stores and commerce", ports)
  storeConnectionsSuite("connecting stores", ports)
  journeysSuite("journeys over other sites", ports)
  mediaSuite("media", ports)
  chatWebhooksSuite("chat webhooks", ports)
  storeWebhooksSuite("store webhooks", ports)
  docsHandoffSuite("the hand-off to the documentation", ports)
  eventsSuite("events", ports)
  webhookSubscriptionsSuite("webhook subscriptions", ports)
  auditSuite("the audit trail", ports)
  operatorAdmissionSuite("operator tokens", ports)
  operatorRateCardsSuite("rate cards of operators", ports)
  secrecySuite("secrets", ports)
}

/**
 * Behaviour that is decided before any storage access and does not depend on the storage: in memory only. The contract refuses invalid input, the
 * edge answers for headers and methods, and the domain derives permissions from the role and the plan, which the storage contracts and the suites
 * of members and of the organization read back from each storage.
 */
export const requestSuites = <E>(ports: Layer.Layer<Ports, E>) => {
  problemsSuite("problems", ports)
  inputSuite("input", ports)
  requestIdsSuite("request ids", ports)
  admissionSuite("admission", ports)
  browsersSuite("browsers", ports)
  listRequestsSuite("requests for lists", ports)
  changeRequestsSuite("requests for changes", ports)
  faultsSuite("faults", ports)
  rolesSuite("roles and plans", ports)
  pluginReadsSuite("what plugins read", ports)
  narrowTokensSuite("tokens with one permission", ports)
}

/**
 * Behaviour that depends on the storage and its transactions, not on row ownership: on PostgreSQL only, without row level security. A hostile value
 * does not change the text of a statement, and keys of repeated calls are not tenant-scoped.
 */
export const storageSuites = <E>(ports: Layer.Layer<Ports | SqlClient.SqlClient, E>) => {
  idempotencySuite("idempotency", ports)
  withdrawnAnswersSuite("answers to lost permissions and erased contacts", ports)
  hostileSuite("hostile values", ports)
}
