import { Equal } from "effect"
import type { Recipient } from "../../chat/index.ts"
import { Conversation, type IdentityWindow } from "../Conversation.ts"
import { allWindows } from "../recipients.ts"

/** Keeps the current value if it has changed since `from`; otherwise takes the value of `to`. */
const applyIfUnchanged = <A>(now: A, from: A, to: A): A => (Equal.equals(now, from) ? to : now)

const statusOf = ({ resolvedAt, snoozedUntil, status }: Conversation) => ({ resolvedAt, snoozedUntil, status })

const recipientOf = ({ recipient, recipientAt }: Conversation) => ({ recipient, recipientAt })

const applyCounts = (now: Conversation, from: Conversation, to: Conversation) => {
  const inboundCount = now.inboundCount - from.inboundCount + to.inboundCount
  const moved = now.readCount - from.readCount
  // A member who has read the conversation since then has read everything in it.
  const isRead = moved > 0 && now.readCount >= from.inboundCount
  const readCount = isRead ? to.inboundCount + now.readCount - from.inboundCount : to.readCount + moved
  return { inboundCount, readCount }
}

const applyLabels = (now: Conversation, from: Conversation, to: Conversation): ReadonlyArray<string> => {
  if (Equal.equals(now.labels, from.labels)) return to.labels
  const stay = now.labels.filter((label) => !from.labels.includes(label) || to.labels.includes(label))
  const come = to.labels.filter((label) => !from.labels.includes(label) && !stay.includes(label))
  return [...stay, ...come].slice(0, 20)
}

const recipientKey = ({ kind, value }: Recipient) => `${kind} ${value}`

const windowsByIdentity = (conversation: Conversation) =>
  new Map(allWindows(conversation).map((window) => [recipientKey(window), window]))

const applyWindows = (now: Conversation, from: Conversation, to: Conversation): ReadonlyArray<IdentityWindow> => {
  const [are, were, would] = [windowsByIdentity(now), windowsByIdentity(from), windowsByIdentity(to)]
  const stay = [...are].flatMap(([key, window]) => {
    const isSame = Equal.equals(window, were.get(key))
    return isSame ? (would.get(key) ?? []) : [window]
  })
  const come = [...would].flatMap(([key, window]) => (are.has(key) ? [] : [window]))
  return [...stay, ...come]
}

type RecipientState = Pick<Conversation, "recipient" | "recipientAt" | "windowExpiresAt" | "otherWindows">

const recipientStateOf = ({ otherWindows, recipient, recipientAt, windowExpiresAt }: Conversation): RecipientState => ({
  recipient,
  recipientAt,
  windowExpiresAt,
  otherWindows
})

const applyRecipientState = (now: Conversation, from: Conversation, to: Conversation): RecipientState => {
  if (Equal.equals(recipientStateOf(now), recipientStateOf(from))) return recipientStateOf(to)
  const { recipient, recipientAt } = applyIfUnchanged(recipientOf(now), recipientOf(from), recipientOf(to))
  const windows = applyWindows(now, from, to)
  const isOwn = (window: IdentityWindow) => recipient !== null && recipientKey(window) === recipientKey(recipient)
  return {
    recipient,
    recipientAt,
    windowExpiresAt: windows.find(isOwn)?.expiresAt ?? null,
    otherWindows: windows.filter((window) => !isOwn(window))
  }
}

/** Applies the difference between the states `from` and `to` to a conversation. */
export const applyChanges = (now: Conversation, from: Conversation, to: Conversation): Conversation => {
  const standing = applyIfUnchanged(statusOf(now), statusOf(from), statusOf(to))
  const waitingSince = applyIfUnchanged(now.waitingSince, from.waitingSince, to.waitingSince)
  return new Conversation({
    ...now,
    ...standing,
    waitRound: applyIfUnchanged(now.waitRound, from.waitRound, to.waitRound),
    waitingSince: standing.status === "resolved" ? null : waitingSince,
    ...applyCounts(now, from, to),
    ...applyRecipientState(now, from, to),
    priority: applyIfUnchanged(now.priority, from.priority, to.priority),
    assigneeId: applyIfUnchanged(now.assigneeId, from.assigneeId, to.assigneeId),
    labels: applyLabels(now, from, to)
  })
}
