import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { foundation } from "./0001-foundation.ts"
import { files } from "./0003-files.ts"
import { crm } from "./0004-crm.ts"
import { imports } from "./0005-imports.ts"
import { chat } from "./0006-chat.ts"
import { deliveries } from "./0007-deliveries.ts"
import { inbox } from "./0008-inbox.ts"
import { words } from "./0009-words.ts"
import { numbers } from "./0010-numbers.ts"
import { people } from "./0011-people.ts"
import { content } from "./0012-content.ts"
import { tokens } from "./0013-tokens.ts"
import { mail } from "./0014-mail.ts"
import { recipients } from "./0015-recipients.ts"
import { inviters } from "./0016-inviters.ts"
import { subscriptions } from "./0017-subscriptions.ts"
import { work } from "./0018-work.ts"
import { channels } from "./0019-channels.ts"
import { sends } from "./0020-sends.ts"
import { endpoints } from "./0021-endpoints.ts"
import { deliveryLanes } from "./0022-delivery-lanes.ts"
import { sendsWaiting } from "./0023-sends-waiting.ts"
import { snoozeLanes } from "./0024-snooze-lanes.ts"
import { templateLanes } from "./0025-template-lanes.ts"
import { jobLanes } from "./0026-job-lanes.ts"
import { sweeps } from "./0027-sweeps.ts"
import { folding } from "./0028-folding.ts"
import { campaigns } from "./0029-campaigns.ts"
import { recipientsInHand } from "./0030-recipients-in-hand.ts"
import { audiences } from "./0031-audiences.ts"
import { dailyReach } from "./0032-daily-reach.ts"
import { mergedRecipients } from "./0033-merged-recipients.ts"
import { stores } from "./0034-stores.ts"
import { retries } from "./0035-retries.ts"
import { tallies } from "./0036-tallies.ts"
import { expiredRecipients } from "./0037-expired-recipients.ts"
import { waitingRecipients } from "./0038-waiting-recipients.ts"
import { claimFences } from "./0043-claim-fences.ts"
import { claims } from "./0039-claims.ts"
import { storeMarks } from "./0040-store-marks.ts"
import { buyers } from "./0041-buyers.ts"
import { buttonTaps } from "./0042-button-taps.ts"
import { privacyRequests } from "./0044-privacy-requests.ts"
import { drawnRecipients } from "./0045-drawn-recipients.ts"
import { storeImports } from "./0046-store-imports.ts"
import { deliveryLanesOfStores } from "./0047-delivery-lanes-of-stores.ts"
import { waits } from "./0048-waits.ts"
import { storeSearches } from "./0049-store-searches.ts"
import { putOffRecipients } from "./0050-put-off-recipients.ts"
import { analytics } from "./0051-analytics.ts"
import { webhooks } from "./0052-webhooks.ts"
import { countedStretches } from "./0053-counted-stretches.ts"
import { storeSightings } from "./0054-store-sightings.ts"
import { countedLevels } from "./0055-counted-levels.ts"
import { countedPresence } from "./0056-counted-presence.ts"
import { plugins } from "./0057-plugins.ts"
import { startedBroadcasts } from "./0058-started-broadcasts.ts"
import { pluginCalls } from "./0059-plugin-calls.ts"
import { countedBroadcasts } from "./0060-counted-broadcasts.ts"
import { schedules } from "./0061-schedules.ts"
import { causation } from "./0062-causation.ts"
import { automationRuns } from "./0063-automation-runs.ts"
import { workflows } from "./0064-workflows.ts"
import { actions } from "./0065-actions.ts"
import { countedOrders } from "./0066-counted-orders.ts"
import { availability } from "./0067-availability.ts"
import { automationDefinitions } from "./0068-automation-definitions.ts"
import { automationClocks } from "./0069-automation-clocks.ts"
import { automationStarts } from "./0070-automation-starts.ts"
import { workflowRuns } from "./0071-workflow-runs.ts"
import { automationActionTypes } from "./0072-automation-action-types.ts"
import { handedAutomationRuns } from "./0073-handed-automation-runs.ts"
import { triggerClocks } from "./0074-trigger-clocks.ts"
import { narrowRunIndexes } from "./0075-narrow-run-indexes.ts"
import { entryEvents } from "./0076-entry-events.ts"
import { workflowEnds } from "./0077-workflow-ends.ts"
import { workflowHolds } from "./0078-workflow-holds.ts"
import { uuidKeys } from "./0079-uuid-keys.ts"
import { recalledRuns } from "./0080-recalled-runs.ts"
import { parkedStoreCodes } from "./0081-parked-store-codes.ts"
import { skippedRecords } from "./0082-skipped-records.ts"
import { jobErrorCodes } from "./0083-job-error-codes.ts"
import { docsCodeSessions } from "./0084-docs-code-sessions.ts"
import { passwordChanges } from "./0085-password-changes.ts"
import { storeRemovals } from "./0086-store-removals.ts"
import { oneResetLink } from "./0087-one-reset-link.ts"
import { jobs } from "./0002-jobs.ts"

/** One step of the schema. Steps are never changed once released: a later one mends an earlier one. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly run: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>
}

/** Every step of the schema, in order. */
export const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: "foundation", run: foundation },
  { id: 2, name: "jobs", run: jobs },
  { id: 3, name: "files", run: files },
  { id: 4, name: "crm", run: crm },
  { id: 5, name: "imports", run: imports },
  { id: 6, name: "chat", run: chat },
  { id: 7, name: "deliveries", run: deliveries },
  { id: 8, name: "inbox", run: inbox },
  { id: 9, name: "words", run: words },
  { id: 10, name: "numbers", run: numbers },
  { id: 11, name: "people", run: people },
  { id: 12, name: "content", run: content },
  { id: 13, name: "tokens", run: tokens },
  { id: 14, name: "mail", run: mail },
  { id: 15, name: "recipients", run: recipients },
  { id: 16, name: "inviters", run: inviters },
  { id: 17, name: "subscriptions", run: subscriptions },
  { id: 18, name: "work", run: work },
  { id: 19, name: "channels", run: channels },
  { id: 20, name: "sends", run: sends },
  { id: 21, name: "endpoints", run: endpoints },
  { id: 22, name: "delivery lanes", run: deliveryLanes },
  { id: 23, name: "sends waiting", run: sendsWaiting },
  { id: 24, name: "snooze lanes", run: snoozeLanes },
  { id: 25, name: "template lanes", run: templateLanes },
  { id: 26, name: "job lanes", run: jobLanes },
  { id: 27, name: "sweeps", run: sweeps },
  { id: 28, name: "folding", run: folding },
  { id: 29, name: "campaigns", run: campaigns },
  { id: 30, name: "recipients in hand", run: recipientsInHand },
  { id: 31, name: "audiences", run: audiences },
  { id: 32, name: "daily reach", run: dailyReach },
  { id: 33, name: "merged recipients", run: mergedRecipients },
  { id: 34, name: "stores", run: stores },
  { id: 35, name: "retries", run: retries },
  { id: 36, name: "tallies", run: tallies },
  { id: 37, name: "expired recipients", run: expiredRecipients },
  { id: 38, name: "waiting recipients", run: waitingRecipients },
  { id: 39, name: "claims", run: claims },
  { id: 40, name: "store marks", run: storeMarks },
  { id: 41, name: "buyers", run: buyers },
  { id: 42, name: "button taps", run: buttonTaps },
  { id: 43, name: "claim fences", run: claimFences },
  { id: 44, name: "privacy requests", run: privacyRequests },
  { id: 45, name: "drawn recipients", run: drawnRecipients },
  { id: 46, name: "store imports", run: storeImports },
  { id: 47, name: "delivery lanes of stores", run: deliveryLanesOfStores },
  { id: 48, name: "waits", run: waits },
  { id: 49, name: "store searches", run: storeSearches },
  { id: 50, name: "put off recipients", run: putOffRecipients },
  { id: 51, name: "analytics", run: analytics },
  { id: 52, name: "webhooks", run: webhooks },
  { id: 53, name: "counted stretches", run: countedStretches },
  { id: 54, name: "store sightings", run: storeSightings },
  { id: 55, name: "counted levels", run: countedLevels },
  { id: 56, name: "counted presence", run: countedPresence },
  { id: 57, name: "plugins", run: plugins },
  { id: 58, name: "started broadcasts", run: startedBroadcasts },
  { id: 59, name: "plugin calls", run: pluginCalls },
  { id: 60, name: "counted broadcasts", run: countedBroadcasts },
  { id: 61, name: "schedules", run: schedules },
  { id: 62, name: "causation", run: causation },
  { id: 63, name: "automation runs", run: automationRuns },
  { id: 64, name: "workflows", run: workflows },
  { id: 65, name: "actions", run: actions },
  { id: 66, name: "counted orders", run: countedOrders },
  { id: 67, name: "availability", run: availability },
  { id: 68, name: "automation definitions", run: automationDefinitions },
  { id: 69, name: "automation clocks", run: automationClocks },
  { id: 70, name: "automation starts", run: automationStarts },
  { id: 71, name: "workflow runs", run: workflowRuns },
  { id: 72, name: "automation action types", run: automationActionTypes },
  { id: 73, name: "handed automation runs", run: handedAutomationRuns },
  { id: 74, name: "trigger clocks", run: triggerClocks },
  { id: 75, name: "narrow run indexes", run: narrowRunIndexes },
  { id: 76, name: "entry events", run: entryEvents },
  { id: 77, name: "workflow ends", run: workflowEnds },
  { id: 78, name: "workflow holds", run: workflowHolds },
  { id: 79, name: "uuid keys", run: uuidKeys },
  { id: 80, name: "recalled runs", run: recalledRuns },
  { id: 81, name: "parked store codes", run: parkedStoreCodes },
  { id: 82, name: "skipped records", run: skippedRecords },
  { id: 83, name: "job error codes", run: jobErrorCodes },
  { id: 84, name: "docs code sessions", run: docsCodeSessions },
  { id: 85, name: "password changes", run: passwordChanges },
  { id: 86, name: "store removals", run: storeRemovals },
  { id: 87, name: "one reset link", run: oneResetLink }
]
