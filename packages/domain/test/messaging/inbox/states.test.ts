import { assert, describe, it } from "@effect/vitest"
import { ContactId } from "@parley/domain/crm"
import { ChatAccountId, Conversation, ConversationId, ConversationStatus, withStatus } from "@parley/domain/messaging"
import { DateTime, Effect } from "effect"

const id = "01990000-0000-7000-8000-000000000001"
const now = DateTime.makeUnsafe("2026-03-01T10:00:00.000Z")
const later = DateTime.add(now, { hours: 1 })

const inState = (status: ConversationStatus) =>
  new Conversation({
    id: ConversationId.make(id),
    contactId: ContactId.make(id),
    chatAccountId: ChatAccountId.make(id),
    status,
    priority: "none",
    assigneeId: null,
    snoozedUntil: status === "snoozed" ? later : null,
    labels: [],
    inboundCount: 0,
    readCount: 0,
    lastMessage: null,
    lastInboundAt: null,
    recipient: null,
    recipientAt: null,
    windowExpiresAt: null,
    otherWindows: [],
    resolvedAt: status === "resolved" ? now : null,
    lastActivityAt: now,
    createdAt: now,
    updatedAt: now,
    version: 1
  })

const allowed: Readonly<Record<ConversationStatus, string>> = {
  open: "pending snoozed resolved",
  pending: "open snoozed resolved",
  snoozed: "open resolved",
  resolved: "open"
}

describe("a conversation", () => {
  const pairs = ConversationStatus.literals.flatMap((from) => ConversationStatus.literals.map((to) => ({ from, to })))

  it.effect.each(pairs)("goes from $from to $to only where that is allowed", ({ from, to }) =>
    Effect.gen(function* () {
      const input = yield* Effect.match(withStatus(inState(from), to, later, later), {
        onSuccess: ({ resolvedAt, snoozedUntil, status }) => ({ status, resolvedAt, snoozedUntil }),
        onFailure: (error) => ({ from: error.from, to: error.to, allowed: error.allowed.join(" ") })
      })
      assert.deepStrictEqual<unknown>(
        input,
        allowed[from].split(" ").includes(to)
          ? { status: to, resolvedAt: to === "resolved" ? later : null, snoozedUntil: to === "snoozed" ? later : null }
          : { from, to, allowed: allowed[from] }
      )
    })
  )
})
