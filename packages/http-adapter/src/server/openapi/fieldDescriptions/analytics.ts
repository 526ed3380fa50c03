import type { FieldDescriptions } from "./FieldDescriptions.ts"

type Fields = FieldDescriptions[string]

/** Counted kinds of messages, in words. */
const kinds = {
  text: "texts",
  image: "images",
  video: "videos",
  audio: "audio messages",
  document: "documents",
  sticker: "stickers",
  location: "locations",
  contacts: "shared contact cards",
  interactive: "interactive messages (buttons, lists, or replies to them)",
  template: "template messages",
  reaction: "reactions",
  provider: "messages in the form of the provider",
  order: "orders from a catalog",
  edit: "edits of earlier messages",
  revocation: "deletions of earlier messages",
  unsupported: "messages of unsupported types"
} as const

const kindFields = (direction: "inbound" | "outbound", end: string): Fields =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, noun]) => [`messages.${direction}.byKind.${kind}`, `Number of ${noun} ${end}.`])
  )

const figures: Fields = {
  conversations: "Figures of conversations.",
  "conversations.opened": "Number of conversations that began.",
  "conversations.reopened": "Number of times that a resolved conversation was reopened.",
  "conversations.resolved": "Number of times that a conversation was resolved.",
  "conversations.resolvedByMachine":
    "Number of times that a conversation was resolved automatically, and not by a user or an operator.",
  "conversations.open": "Number of conversations with the status `open` at the end of the day or period.",
  "conversations.waiting":
    "Number of conversations at the end of the day or period in which the contact waits for an answer.",
  messages: "Figures of messages.",
  "messages.inbound": "Messages of contacts, except of contacts that were blocked at that time.",
  "messages.inbound.total": "Number of messages of contacts, of all kinds.",
  "messages.inbound.byKind": "Number of messages of contacts by kind.",
  ...kindFields("inbound", "from contacts"),
  "messages.outbound": "Messages that the provider accepted.",
  "messages.outbound.total": "Number of messages that the provider accepted, of all kinds.",
  "messages.outbound.byKind": "Number of messages that the provider accepted, by kind.",
  ...kindFields("outbound", "that the provider accepted"),
  "messages.outbound.byAuthor": "Number of messages that the provider accepted, by author.",
  "messages.outbound.byAuthor.user": "Number of accepted messages that users wrote.",
  "messages.outbound.byAuthor.operator": "Number of accepted messages that operators of the service wrote.",
  "messages.outbound.byAuthor.phone_app":
    "Number of messages that were written in the provider's own app of the business.",
  "messages.outbound.byAuthor.token": "Number of accepted messages that automation tokens or plugins wrote.",
  "messages.outbound.byAuthor.automation": "Number of accepted messages that automations or workflows wrote.",
  "messages.outbound.byAuthor.broadcast": "Number of accepted messages of broadcasts.",
  "messages.failed": "Number of messages that could not be sent; a message that succeeds later no longer counts.",
  firstResponse: "Time from when a contact began to wait to the first answer of a person in the conversation.",
  reply: "Time from when a contact began to wait to the answer of a person, for each such answer.",
  resolution: "Time from when a conversation was opened or reopened to when it was resolved.",
  contacts: "Figures of contacts.",
  "contacts.new": "Number of contacts that were added, except by an import.",
  "contacts.imported":
    "Number of contacts from a file or the first import of a store, or known only from a call, a group or the phone app.",
  "contacts.active": "Number of contacts who wrote; each contact counts once in the period.",
  "contacts.unsubscribed": "Number of contacts who unsubscribed, except by an import or a merge.",
  broadcasts: "Figures of broadcasts and of the recipients whose message was accepted in the period.",
  "broadcasts.started": "Number of broadcasts that began to send.",
  "broadcasts.sent": "Number of recipients whose message the provider accepted in the period.",
  "broadcasts.delivered": "Number of these recipients who received the message, read or not; later receipts change it.",
  "broadcasts.read": "Number of these recipients who have read the message; later receipts change it.",
  "broadcasts.replied": "Number of these recipients who replied to the broadcast; later replies change it.",
  "broadcasts.deliveredRate": "Delivered messages as a share of `sent`, 0–1 with four decimals; null if `sent` is 0.",
  "broadcasts.readRate": "Read messages as a share of `delivered`, 0–1 with four decimals; null if `delivered` is 0.",
  "broadcasts.repliedRate":
    "Replies as a share of `delivered`, usually 0–1, with four decimals; null if `delivered` is 0.",
  commerce: "Figures of orders in the stores.",
  "commerce.orders": "Number of orders placed in all currencies, without test orders.",
  "commerce.revenue": "Revenue in each currency with orders; the first entry is the currency of the organization."
}

const paths = Object.keys(figures)

/** Changes have the paths of the figures, with percentages as values. */
const changes: Fields = Object.fromEntries(
  paths.map((path) => {
    const isGroup = paths.some((each) => each.startsWith(`${path}.`))
    if (path === "commerce.revenue")
      return [path, "Changes of the revenue in each currency, in the order of the figures."]
    if (isGroup || ["firstResponse", "reply", "resolution"].includes(path)) return [path, `Changes of \`${path}\`.`]
    return [path, `Change of \`${path}\` in percent, with one decimal; null without an earlier value or if it was 0.`]
  })
)

const meta: Fields = {
  asOf: "Time in UTC up to which all events are counted.",
  state:
    "`current`, or `rebuilding` while the days are recalculated for a new time zone; until then, the answer uses the old one."
}

const range: Fields = {
  ...meta,
  from: "First local day of the range.",
  to: "Last local day of the range, which is included."
}

const change = (subject: string) =>
  `Change of ${subject} in percent, with one decimal; null without an earlier value or if it was 0.`

/** Descriptions of the fields of `analytics`, by component, operation or event, and path. */
export const analyticsFields: FieldDescriptions = {
  AgentFigures: {
    id: "Id of the user.",
    name: "Name of the user; empty in answers to plugins.",
    status: "`active` and `disabled` are members, `former` marks users who are no longer members.",
    sent: "Number of messages of the member that the provider accepted in the range.",
    replies: "Number of answers of the member to waiting contacts in the range.",
    resolved: "Number of times that the member resolved a conversation in the range.",
    open: "Current number of conversations with the status `open` that are assigned to the member.",
    waiting: "Current number of assigned conversations in which the contact waits for an answer.",
    firstResponse:
      "Time from when a contact began to wait to the first answer in the conversation, for first answers of the member.",
    reply: "Time from when a contact began to wait to the answer of the member.",
    resolution: "Time from when a conversation was opened or reopened to when the member resolved it."
  },
  AnalyticsAgents: { ...range, data: "Figures of the members of this page, in the requested order." },
  AnalyticsBroadcasts: { ...range, data: "Broadcasts of this page that started in the range, newest first." },
  AnalyticsChanges: changes,
  AnalyticsCostRow: {},
  AnalyticsCosts: {
    from: "First local day of the range.",
    to: "Last local day of the range, which is included.",
    asOf: "Time of the answer in UTC.",
    by: "Dimension of the rows.",
    total: "Costs of all delivered messages in the range."
  },
  AnalyticsDay: {
    date: "Local day of the figures.",
    complete: "Whether the day is over; false for today."
  },
  AnalyticsFigures: figures,
  AnalyticsHeatmap: {
    ...range,
    figure: "Counted figure, by its path in the overview.",
    values: "Sums of the figure: seven rows from Monday to Sunday, with 24 local hours each.",
    occurrences:
      "Number of times that each hour was in the range so far, in the form of `values`; `values` divided by it is the average."
  },
  AnalyticsLive: {
    asOf: "Time of the answer in UTC.",
    state: meta["state"] ?? "",
    open: "Current number of conversations with the status `open`.",
    pending: "Current number of conversations with the status `pending`.",
    snoozed: "Current number of conversations with the status `snoozed`.",
    unassigned: "Current number of unresolved conversations without an assignee.",
    waiting: "Unresolved conversations in which the contact waits for an answer.",
    "waiting.count": "Number of conversations in which the contact waits.",
    "waiting.longestSeconds": "Longest current wait in seconds; null if no contact waits.",
    "waiting.steps": "Number of waits by duration; each wait counts in the first step that it fits.",
    "waiting.steps.upToSeconds": "Upper bound of the step in seconds; null for the last step, which has none.",
    "waiting.steps.count": "Number of conversations with a wait in this step."
  },
  AnalyticsOverview: {
    ...meta,
    period: "Period of `current` and `days`: today so far, and the 6 or 29 days before it.",
    "period.name": "Requested period: `7d` has 7 local days, `30d` has 30, each with today.",
    "period.from": "Start of the first local day, as a time in UTC.",
    "period.to": "Exclusive end in UTC: the time of the answer.",
    previousPeriod: "Period of `previous`: as many days before `period`, up to the same local time.",
    "previousPeriod.from": "Start of the first local day of the previous period, as a time in UTC.",
    "previousPeriod.to":
      "Exclusive end in UTC: the same local time as the end of `period`, rounded down to a quarter of an hour.",
    current: "Figures of `period`.",
    previous: "Figures of `previousPeriod`.",
    change: "Change of each figure from `previous` to `current`, in percent.",
    days: "Figures of each local day of `period`, in order.",
    load: "Current number of conversations per assignee.",
    "load.unassigned": "Conversations without an assignee.",
    "load.unassigned.open": "Number of unassigned conversations with the status `open`.",
    "load.unassigned.waiting": "Number of unassigned conversations in which the contact waits for an answer.",
    "load.agents": "At most 25 members, most open conversations first; only yourself without `agent_analytics.read`.",
    "load.agents.id": "Id of the user.",
    "load.agents.name": "Name of the user; empty in answers to plugins.",
    "load.agents.open": "Number of assigned conversations with the status `open`.",
    "load.agents.waiting": "Number of assigned conversations in which the contact waits for an answer."
  },
  AnalyticsSeries: {
    ...range,
    by: "Size of a bucket: an hour, a local day, a week from Monday, or a month.",
    buckets: "Names of the buckets: the first local day in the range, or for hours the start in UTC.",
    series: "Requested figures, in the requested order.",
    "series.figure": "Figure by its path in the overview.",
    "series.unit": "Unit of the values: `money` is in minor units of `currency`, `rate` is a share 0–1.",
    "series.values": "One value per bucket; null for a median, percentile or rate without events."
  },
  DurationChange: {
    count: change("the number of durations"),
    medianSeconds: change("the median"),
    p90Seconds: change("the 90th percentile")
  },
  DurationFigures: {
    count: "Number of durations that ended in the period.",
    medianSeconds: "Median in whole seconds; null without durations, and for a member with fewer than five.",
    p90Seconds:
      "Duration in whole seconds that a tenth of the durations exceeds; null without durations, and for a member with fewer than five."
  },
  Freshness: {
    state:
      "`live`: up to date; `catching_up`: importing or reading changes; `stale`: last read over 20 minutes ago; `frozen`: the store is not connected.",
    asOf: "Time in UTC up to which all changes of the store were read; null before the end of the first import."
  },
  Lifetime: {
    orderCount: "Number of orders in this currency, without test, cancelled and deleted orders.",
    spent: "Amount paid for these orders, less refunds.",
    firstOrderAt: "Time of the first of these orders in UTC.",
    lastOrderAt: "Time of the last of these orders in UTC."
  },
  RevenueChange: {
    gross: change("the gross revenue"),
    refunded: change("the refunds"),
    net: change("the net revenue"),
    attributedOrders: change("the number of attributed orders"),
    attributed: change("the attributed revenue")
  },
  RevenueFigures: {
    gross: "Orders with tax and shipping on the day of the order; an edit counts on its own day.",
    refunded: "Refunds and cancellations, on the day of each.",
    net: "`gross` minus `refunded`.",
    attributedOrders:
      "Number of orders of contacts who had read or answered a broadcast within `attributionHours` before.",
    attributed: "Net amount of the attributed orders."
  }
}
