import type { FieldDescriptions } from "./FieldDescriptions.ts"

type Fields = FieldDescriptions[string]

/** Fields of a broadcast that members define. */
const definition: Fields = {
  chatAccountId: "Id of the chat account that sends; null in a draft without one.",
  templateId: "Id of the message template; null in a draft without one, and unused with `variants`.",
  variables: "Values of the template's variables by key, such as `body.1`; unused with `variants`.",
  variants: "Two to five texts to compare, with weights that add up to 100; null for a single text.",
  holdOut: "Percent of the reachable contacts that get no message, for comparison: 0 to 50, with at most two decimals.",
  splitKey:
    "Seed of the draws of held-out contacts and variants; broadcasts with the same key hold out the same contacts.",
  audience:
    "Filter of the contacts that get the message; `{}` matches all contacts, null is a draft without an audience.",
  exclude: "Filter of the contacts that are left out of the audience; null leaves out none.",
  schedule: "Start time and limits of sending; null without any.",
  throttle: "Maximum rate of sending; null for the rate of the chat account.",
  "throttle.perMinute": "Maximum number of messages per minute, 1 to 60,000.",
  ignoreFrequencyCaps:
    "Whether the message also goes to contacts who have reached a frequency cap; setting it needs `broadcasts.send`.",
  ignoreQuietHours: "Whether the message is also sent during quiet hours; setting it needs `broadcasts.send`.",
  replyHours:
    "Hours after the acceptance in which a message of the contact counts as a reply, 1 to 168; quoting replies always count.",
  upliftDays: "Days after the due time of a contact in which an order counts for the uplift, 1 to 30."
}

const withDefault = (field: string, value: string): Fields => ({
  [field]: `${(definition[field] ?? "").slice(0, -1)}. Default: ${value}.`
})

/** The same fields in requests that create a broadcast, with their defaults. */
const newDefinition: Fields = {
  ...definition,
  ...withDefault("chatAccountId", "null"),
  ...withDefault("templateId", "null"),
  ...withDefault("variables", "none"),
  ...withDefault("variants", "null"),
  ...withDefault("holdOut", "0"),
  ...withDefault("splitKey", "the id of the broadcast"),
  ...withDefault("audience", "null"),
  ...withDefault("exclude", "null"),
  ...withDefault("schedule", "null"),
  ...withDefault("throttle", "null"),
  ...withDefault("ignoreFrequencyCaps", "false"),
  ...withDefault("ignoreQuietHours", "false"),
  ...withDefault("replyHours", "72"),
  ...withDefault("upliftDays", "7")
}

const inFlight = "Number of recipients with a call to the provider under way."

/** Numbers of recipients. */
const counts: Fields = {
  matched: "Number of contacts that matched the audience.",
  inDoubt: "Number of recipients without a known result, because the answer of the provider was lost.",
  failed: "Number of recipients whose message failed.",
  excluded: "Number of contacts of the audience that get no message for a reason such as `blocked`.",
  heldOut: "Number of contacts that get no message, for comparison.",
  neverSent: "Number of recipients that get nothing because the broadcast ended before their turn."
}

const result: Fields = {
  variant: "Key of the variant of the recipient; null without variants.",
  status:
    "`excluded`, `held_out` and `never_sent` get nothing; `in_doubt` has an unknown result; receipts change `sent` to `delivered`, `read` or `failed`.",
  error: "Error of the message; null without one.",
  attempts: "Number of attempts to send the message.",
  sentAt: "Time in UTC when the provider accepted the message; null before that.",
  deliveredAt: "Time of the delivery in UTC; null without a receipt of it.",
  readAt: "Time in UTC when the contact read the message; null without a receipt of it.",
  failedAt: "Time of the failure in UTC; null without a failure.",
  repliedAt: "Time of the first reply to the message in UTC; null without a reply.",
  optedOutAt: "Time in UTC when the contact opted out in answer to the message; null without an opt-out.",
  conversationId: "Id of the conversation that shows the message; null until it joins one."
}

const uplift = (path: string): Fields => ({
  [`${path}.value`]:
    "Difference between the shares of buyers, relative to the share of the held-out contacts: 0.25 is 25 percent more buyers.",
  [`${path}.treated`]: "Contacts that were not held out, whatever the result of their message.",
  [`${path}.treated.assigned`]: "Number of contacts that were not held out.",
  [`${path}.treated.converted`]: "Number of these contacts with an order within `upliftDays`.",
  [`${path}.heldOut`]: "Contacts that were held out.",
  [`${path}.heldOut.assigned`]: "Number of contacts that were held out.",
  [`${path}.heldOut.converted`]: "Number of held-out contacts with an order within `upliftDays`.",
  [`${path}.difference`]:
    "Lower and upper bound of the 95 percent interval of the absolute difference between the shares, -1 to 1.",
  [`${path}.significant`]: "Whether the interval in `difference` does not contain 0."
})

const rates: Fields = {
  deliveredRate: "Delivered messages as a share of `sent`, 0–1 with four decimals; null if `sent` is 0.",
  readRate: "Read messages as a share of `delivered`, 0–1 with four decimals; null if `delivered` is 0.",
  repliedRate: "Replies as a share of `delivered`, usually 0–1, with four decimals; null if `delivered` is 0."
}

/** Descriptions of the fields of `campaigns`, by component, operation or event, and path. */
export const campaignsFields: FieldDescriptions = {
  "broadcast.progressed": { "data.stats": "Current number of recipients by status." },
  "broadcast.status_changed": {
    "data.from": "Status before the change.",
    "data.to": "Status after the change; `completed`, `cancelled` and `failed` are final.",
    "data.reason": "Reason of a pause or an early end, or the code of a failure; null without one.",
    "data.refusal": "Refusal of the provider that caused the pause; absent for other changes."
  },
  AudienceEmptyProblem: {
    matched: "Number of contacts that match the audience, although none of them can receive the message."
  },
  AudiencePreview: {
    "sample.address": "Phone number or other identity that receives the message.",
    matched: "Number of contacts that match the audience.",
    reachable: "Number of matched contacts that are not excluded.",
    heldOut: "Estimated number of reachable contacts that are held out; they are drawn when the broadcast starts.",
    toSend: "Estimated number of contacts that get the message: `reachable` minus `heldOut`.",
    variants: "Estimated number of recipients per variant, by weight; null without variants.",
    "variants.key": "Key of the variant.",
    "variants.toSend": "Estimated number of recipients of the variant.",
    excluded: "Number of excluded contacts by the first reason that applies; reasons without contacts are absent.",
    "excluded.contact_gone": "Contacts that no longer exist.",
    "excluded.excluded_by_filter":
      "Contacts that `exclude` matches; for a retry, also contacts that `audience` no longer matches.",
    "excluded.no_identity": "Contacts without a phone number or another identity that the chat account can reach.",
    "excluded.not_subscribed": "Contacts that have not subscribed to marketing; counted for marketing only.",
    "excluded.blocked": "Contacts that are blocked.",
    "excluded.region_blocked":
      "Contacts with a phone number of +1, where the provider rejects marketing; counted for marketing only.",
    "excluded.duplicate": "Contacts that were merged with another recipient of the broadcast.",
    "excluded.missing_variable": "Contacts without a value for a variable that has no fallback.",
    "excluded.frequency_cap": "Contacts that have reached a frequency cap.",
    "excluded.local_time_passed": "Contacts whose local time has passed, with `passed` set to `skip`.",
    "excluded.plan_limit": "Contacts above the monthly broadcast recipients of the plan.",
    sample: "Address and rendered message of up to ten reachable contacts.",
    warnings: "Reasons why `send` would reject the broadcast now; empty if there are none.",
    audienceSnapshotId: "Id of the stored recipient list; null without `freeze`.",
    expiresAt: "Time in UTC when the unused recipient list expires, after 24 hours; null without `freeze`."
  },
  AudiencePreviewNote: {
    code: "`marketing_for_all_variants`: one variant is marketing, so its rules apply to all; `number_quality_low`: the provider rates the number as `yellow` or `red`.",
    detail: "Explanation of the effect for people."
  },
  AudiencePreviewWarning: {
    code: "Code of the problem that `send` would answer with.",
    detail: "Explanation of the problem for people."
  },
  AudienceSnapshotExpiredProblem: { expiredAt: "Time in UTC when the recipient list expired." },
  AudienceSnapshotMismatchProblem: {
    fields: "Names of the fields with other values than those the recipient list was created from."
  },
  Broadcast: {
    name: "Name of the broadcast, at most 120 characters.",
    ...definition,
    status:
      "`scheduled` waits for its start, `sending` and `paused` have started; `completed`, `cancelled` and `failed` are final.",
    stats: "Current number of recipients by status.",
    waiting: "Reason why sending waits, and the end of the wait; null while it does not wait.",
    pause: "Reason, time and author of the pause; null while the broadcast is not paused.",
    failure: "Reason of the failure; null unless the status is `failed`.",
    endReason:
      "Reason for an early end: `user` for a cancellation, `paused_too_long` after 30 days of pause, a time limit, or a removed chat account; null otherwise.",
    source: "Broadcast that this one was created from; null for a broadcast that is no duplicate and no retry.",
    retry: "Recipients of another broadcast that this one retries; null if it is no retry.",
    audienceSnapshotId:
      "Id of the stored recipient list to send to; null to send to the contacts that match at the start.",
    frozenAt: "Time in UTC when the recipient list was complete; null before that, while `stats.matched` can grow.",
    startedAt: "Time of the start in UTC; null before the start.",
    endedAt: "Time of the end in UTC; null before the end.",
    recipientsKeptUntil: "Time in UTC when the recipients are deleted, 180 days after the end; null before the end."
  },
  BroadcastFailure: {
    code: "Code of the error that stopped the broadcast, such as `template_not_approved` or `chat_account_removed`.",
    detail: "Explanation of the failure for people."
  },
  BroadcastFunnel: {
    ...counts,
    read: "Number of recipients who have read the message.",
    replied: "Number of recipients who replied to the message.",
    optedOut: "Number of recipients who opted out in answer to the message."
  },
  BroadcastImmediateStart: {},
  BroadcastPause: {
    refusal: "Refusal of the provider that caused the pause; absent for other pauses.",
    reason:
      "`user`: a member paused it; `template`: not approved; `account`: the chat account cannot send; `failures`: too many messages failed; `suspended`: the organization is suspended.",
    at: "Time of the pause in UTC.",
    by: "Id of the user who paused the broadcast; null if the service, an operator or a program did."
  },
  BroadcastRecipient: { ...result, address: "Phone number or other identity that receives the message." },
  BroadcastReport: {
    asOf: "Time in UTC of the counts; after the deletion of the recipients, the end of their retention.",
    funnel: "Number of contacts at each stage.",
    "variants.key": "Key of the variant.",
    "variants.funnel": "Number of contacts of the variant at each stage.",
    "variants.costs": "Costs of the delivered messages of the variant.",
    ...uplift("variants.uplift"),
    ...uplift("uplift")
  },
  BroadcastRetry: {
    broadcastId: "Id of the broadcast whose recipients are tried again.",
    statuses:
      "Statuses of the recipients to try again, read when the retry starts; `in_doubt` can cause a second message.",
    codes: "Error codes that limit the failed recipients; null for all failed recipients."
  },
  BroadcastRow: {
    ...rates,
    id: "Id of the broadcast.",
    startedAt: "Time of the start in UTC.",
    matched: "Number of contacts that matched the audience.",
    failed: "Number of recipients whose message failed.",
    inDoubt: "Number of recipients without a known result, because the answer of the provider was lost.",
    optedOut: "Number of recipients who opted out in answer to the message.",
    sent: "Number of recipients whose message the provider accepted, delivered or not, read or not.",
    delivered: "Number of recipients who received the message, read or not.",
    read: "Number of recipients who have read the message.",
    replied: "Number of recipients who replied to the message.",
    attributedOrders:
      "Number of orders of contacts whose last read or answered broadcast within `attributionHours` was this one.",
    attributed: "Net amount of the attributed orders, one entry per currency."
  },
  BroadcastSchedule: {
    at: "Start time in UTC, within 365 days; use either this or `localAt`.",
    localAt:
      "Start time on the clock of the organization or of each contact, see `zone`; for example `2026-12-01T09:00`.",
    notAfter: "Latest start of the broadcast in UTC; later, it is cancelled. Default: 24 hours after its start time.",
    endBy: "End of sending in UTC; the remaining recipients get nothing. Default: 30 days after the start.",
    window: "Days and hours in which messages are sent, in the time zone of `zone`; null, or absent, for any time."
  },
  BroadcastSettings: {
    quietHours: "Local hours of each contact in which no marketing is sent; null for none.",
    frequencyCaps: "Maximum numbers of broadcast messages per contact; at most five caps.",
    optOutKeywords:
      "Messages that unsubscribe a contact, by language, in addition to the built-in ones; all apply to each contact.",
    optInKeywords:
      "Messages that subscribe a contact again, by language, in addition to the built-in ones; all apply to each contact.",
    optOutReply:
      "Confirmation after an opt-out by keyword, by language of the contact, otherwise of the organization; null sends none.",
    attributionHours:
      "Hours after the acceptance of a message in which an order can be attributed to the broadcast, 1 to 720; 120 at first."
  },
  BroadcastSimulation: {
    toSend: "Number of contacts that would get the message.",
    firstAt: "Expected time of the first message in UTC; null if none can be sent.",
    lastAt: "Expected time of the last message in UTC; null if none can be sent.",
    hours: "Expected number of messages per hour, only for hours with messages.",
    "hours.at": "Start of the hour in UTC.",
    "hours.count": "Expected number of messages in this hour.",
    limitedBy: "Limits that slow the broadcast down; empty if only the rate of the chat account does.",
    plan: "Broadcast recipients of the plan in the current month in UTC.",
    "plan.used": "Number of recipients that broadcasts have used this month.",
    "plan.max": "Maximum number of recipients per month.",
    warnings: "Reasons why contacts would not get the message; empty if there are none.",
    "warnings.code":
      "`end_by_too_early`: sending ends before all contacts get the message; `plan_limit`: the plan has too few recipients left.",
    "warnings.detail": "Explanation of the warning for people.",
    contact: "Expected result for the requested contact; null without `contactId`.",
    "contact.outcome":
      "`not_matched`: not in the audience; `excluded` and `held_out`: in the audience, but without a message.",
    "contact.reason": "Reason for the exclusion; null unless `outcome` is `excluded`."
  },
  BroadcastSource: {
    broadcastId: "Id of the original broadcast.",
    kind: "`duplicate` goes to all contacts of the audience, `retry` to recipients that the original did not reach."
  },
  BroadcastStats: {
    ...counts,
    inFlight,
    matched: "Number of contacts of the audience: the sum of the ten other counts; it grows until `frozenAt`.",
    pending: "Number of recipients that still wait for their message.",
    sent: "Number of recipients whose message was accepted, without a later receipt.",
    delivered: "Number of recipients whose message was delivered, but not read.",
    read: "Number of recipients who have read the message."
  },
  BroadcastStatusInvalidProblem: {
    broadcastStatus: "Current status of the broadcast.",
    allowed: "Statuses in which the call is possible."
  },
  BroadcastTest: { results: "Results of the test messages, one per phone number." },
  BroadcastTestResult: {
    to: "Phone number of the test message, in E.164 format.",
    status:
      "`failed`: the provider rejected it; `refused`: the contact is blocked or has opted out; `in_doubt`: the answer of the provider was lost.",
    error: "Error of a failed or refused message; null for `sent` and `in_doubt`."
  },
  BroadcastTestsThrottledProblem: { retryAfterSeconds: "Seconds until enough test messages are possible again." },
  BroadcastTransitionInvalidProblem: {
    from: "Current status of the broadcast.",
    to: "Status that the call would set.",
    allowed: "Statuses that can follow the current status; empty for a final status."
  },
  BroadcastValue: {
    kind: "`constant`: the same text for all; `field`: a field of the contact; `liquid`: a text made of fields.",
    value: "Text for all contacts, at most 1,024 characters.",
    field:
      "Field of the contact; `firstName` is the first word of the name, and `attribute` is the contact field with this `key`."
  },
  BroadcastVariant: {
    key: "Key of the variant, once per broadcast.",
    variables: "Values of the template's variables by key, such as `body.1`."
  },
  BroadcastWaiting: {
    reason:
      "Reason for the wait: the daily limit of the business, quiet hours, `window`, `throttle`, the local time of contacts, or an unresponsive provider (`account_resting`)."
  },
  CancelledBroadcast: {
    ...counts,
    inFlight,
    id: "Id of the broadcast.",
    status: "Status of the broadcast: `cancelled`."
  },
  FrequencyCap: {
    category:
      "Category of the limited broadcasts; `any` limits all, and `marketing` and `any` also count marketing of automations and workflows.",
    max: "Maximum number of messages per contact, 1 to 50.",
    days: "Period of the limit in days, 1 to 30."
  },
  NewAudiencePreview: {
    ...newDefinition,
    chatAccountId: "Id of the chat account that sends; a preview without it is refused.",
    audience:
      "Filter of the contacts that get the message; `{}` matches all contacts; a preview without it is refused.",
    splitKey: "Seed of the draws of held-out contacts and variants. Default: a new one."
  },
  NewBroadcast: newDefinition,
  NewBroadcastSimulation: { at: "Start time in UTC. Default: the schedule, otherwise now." },
  NewBroadcastTest: { to: "One to five phone numbers with country code that get the test message." },
  QuietHours: {
    from: "Local start of the quiet hours, such as `21:00`.",
    to: "Local end of the quiet hours, such as `08:00`; an end before `from` is on the next day."
  },
  RecipientEntry: {
    id: "Id of the broadcast.",
    kind: "Always `broadcast`.",
    at: "Time in UTC when the provider accepted the message.",
    status: "Latest known status of the message, such as `sent`, `delivered` or `read`.",
    repliedAt: "Time of the first reply to the message in UTC; null without a reply.",
    optedOutAt: "Time in UTC when the contact opted out in answer to the message; null without an opt-out."
  },
  RecipientsExpiredProblem: { expiredAt: "Time in UTC when the retention of the recipients ended." },
  SendWindow: {
    days: "Days of the week on which the window starts.",
    from: "Local start of the window, such as `09:00`.",
    to: "Local end of the window, such as `18:00`; an end before `from` is on the next day."
  },
  ContactRecipient: {
    ...result,
    broadcastName: "Name of the broadcast.",
    address: "Phone number or other identity that receives the message."
  }
}
