import { assert, describe, it } from "@effect/vitest"
import { ContactId } from "@parley/domain/crm"
import { ChatAccountId, Conversation, ConversationId, Message, MessageId } from "@parley/domain/messaging"
import { among } from "@parley/testkit"
import { Arbitrary, DateTime, Effect } from "effect"
import { withStatus } from "../../../src/messaging/inbox/conversationStates.ts"
import { acceptedAt } from "../../../src/messaging/inbox/messageProgress.ts"
import { BatchWaits } from "../../../src/messaging/inbox/receiving/InboundBatch.ts"
import { startConversation, withInbound } from "../../../src/messaging/inbox/receiving/inboundActivity.ts"
import { withWaitEnded } from "../../../src/messaging/inbox/waiting/waitTransitions.ts"

const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`
const morning = DateTime.makeUnsafe("2026-03-10T08:00:00Z")
const minute = (minutes: number) => DateTime.add(morning, { minutes })
const pair = { contactId: ContactId.make(uuid(1)), chatAccountId: ChatAccountId.make(uuid(2)) }

/** Authors of the messages of a story: among machines, only tokens answer, and reactions never do. */
const writers = ["user", "token", "user", "automation", "phone_app", "user", "broadcast", "operator"] as const
const reaction = 5

const written = (index: number): Message =>
  new Message({
    id: MessageId.make(uuid(100 + index)),
    conversationId: ConversationId.make(uuid(3)),
    direction: "outbound",
    kind: index === reaction ? "reaction" : "text",
    text: "Hello",
    media: null,
    template: null,
    interactive: null,
    location: null,
    contacts: null,
    replyToId: null,
    author: { kind: writers[index] ?? "user", id: uuid(4) },
    recipient: null,
    status: "queued",
    error: null,
    providerMessageId: null,
    at: morning,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: morning
  })

type Step =
  | { readonly kind: "inbound"; readonly ago: number; readonly awaitsReply: boolean }
  | { readonly kind: "accept" | "fail"; readonly of: number }
  | { readonly kind: "resolve" | "reopen" | "block" }

/** A conversation with these events in sequence, a minute apart. */
class Story {
  conversation = startConversation(ConversationId.make(uuid(3)), pair, false, morning, morning)
  readonly messages = writers.map((_, index) => written(index))
  private readonly waits = new BatchWaits([this.conversation], [])

  private become(after: Conversation) {
    this.conversation = after
    this.waits.know(after)
  }

  private move(index: number, change: Partial<Message>) {
    const before = this.messages[index] ?? assert.fail()
    const after = new Message({ ...before, ...change })
    this.messages[index] = after
    const waiting = this.waits.move(before, after)
    if (waiting !== null) this.become(new Conversation({ ...this.conversation, ...waiting }))
  }

  take(step: Step, now: DateTime.Utc) {
    const { conversation } = this
    switch (step.kind) {
      case "inbound": {
        const message = new Message({
          ...written(0),
          direction: "inbound",
          at: DateTime.subtract(now, { minutes: step.ago })
        })
        const { awaitsReply } = step
        const inbound = {
          message,
          from: null,
          ways: [],
          fromAdvertisement: false,
          byContact: true,
          quiet: false,
          awaitsReply
        }
        return this.become(withInbound(conversation, inbound, now))
      }
      case "accept":
        return this.move(step.of, { status: "sent", sentAt: now, failedAt: null })
      case "fail":
        return this.move(step.of, { status: "failed", failedAt: now, sentAt: null })
      case "resolve":
        return this.become(
          Effect.runSync(Effect.orElseSucceed(withStatus(conversation, "resolved", now), () => conversation))
        )
      case "reopen":
        return this.become(
          Effect.runSync(Effect.orElseSucceed(withStatus(conversation, "open", now), () => conversation))
        )
      case "block":
        return this.become(new Conversation({ ...conversation, ...withWaitEnded(conversation) }))
    }
  }

  get summary() {
    const { firstRepliedAt, waitingSince } = this.conversation
    const since = this.messages.map(({ id }) => this.waits.endings.get(id)?.since ?? null)
    return { waitingSince, firstRepliedAt, since }
  }
}

/** The same by another method: it replays all relevant events from the start. */
const expected = (steps: ReadonlyArray<Step>) => {
  const counting: Array<{ readonly step: Step; readonly now: DateTime.Utc }> = []
  const isAnswered = (of: number) => counting.some(({ step }) => step.kind === "accept" && step.of === of)
  for (const [index, step] of steps.entries()) {
    const now = minute(index + 60)
    if (step.kind === "fail") {
      const place = counting.findIndex(({ step: each }) => each.kind === "accept" && each.of === step.of)
      if (place >= 0) counting.splice(place, 1)
    } else if (step.kind !== "accept" || !isAnswered(step.of)) counting.push({ step, now })
  }
  let waitingSince: DateTime.Utc | null = null
  let firstRepliedAt: DateTime.Utc | null = null
  let isResolved = false
  const since: Array<DateTime.Utc | null> = writers.map(() => null)
  for (const { now, step } of counting) {
    if (step.kind === "inbound") {
      const at = DateTime.subtract(now, { minutes: step.ago })
      isResolved = false
      if (step.awaitsReply) waitingSince = waitingSince === null ? at : DateTime.min(waitingSince, at)
    } else if (step.kind === "accept") {
      const by = writers[step.of]
      if (by === "automation" || by === "broadcast" || step.of === reaction) continue
      since[step.of] = waitingSince
      if (waitingSince !== null && by !== "token") firstRepliedAt ??= now
      waitingSince = null
    } else if (step.kind === "reopen") isResolved = false
    else {
      if (step.kind === "resolve") isResolved = true
      waitingSince = null
    }
  }
  return { summary: { waitingSince, firstRepliedAt, since }, isResolved }
}

const number = (most: number) => among(Array.from({ length: most }, (_, index) => index))

const step: Arbitrary.Arbitrary<Step> = Arbitrary.map(
  Arbitrary.all({
    kind: among(["inbound", "accept", "accept", "fail", "resolve", "reopen", "block", "inbound"] as const),
    of: number(writers.length),
    ago: number(9),
    awaitsReply: among([true, true, false])
  }),
  ({ ago, awaitsReply, kind, of }): Step => {
    if (kind === "inbound") return { kind, ago, awaitsReply }
    return kind === "accept" || kind === "fail" ? { kind, of } : { kind }
  }
)

describe("who waits", () => {
  it.prop(
    "equals the wait without the failed answers",
    { steps: Arbitrary.array(step, { maxLength: 24 }) },
    ({ steps }) => {
      const story = new Story()
      for (const [index, each] of steps.entries()) {
        const isRepeated = each.kind === "accept" && acceptedAt(story.messages[each.of] ?? assert.fail()) !== null
        if (!isRepeated) story.take(each, minute(index + 60))
      }
      const { isResolved, summary: reported } = expected(steps)
      assert.deepStrictEqual(story.summary, reported)
      assert.strictEqual(story.conversation.status === "resolved", isResolved)
      if (isResolved) assert.isNull(story.conversation.waitingSince)
    },
    { arbitrary: { runs: 300, size: 24, seed: "waits" } }
  )

  it("has the first reply at the earliest time at which the provider says that it was accepted", () => {
    const story = new Story()
    story.take({ kind: "inbound", ago: 5, awaitsReply: true }, minute(60))
    story.take({ kind: "accept", of: 0 }, minute(61))
    const waits = new BatchWaits([story.conversation], [])
    const before = story.messages[0] ?? assert.fail()
    const after = new Message({ ...before, deliveredAt: minute(60), status: "delivered" })
    assert.deepStrictEqual(waits.move(before, after)?.firstRepliedAt, minute(60))
  })

  it("counts episodes from the message or the move that opens them", () => {
    const story = new Story()
    const numbers = () => [story.conversation.episode?.number, story.conversation.episode?.startedAt]
    assert.deepStrictEqual(numbers(), [1, morning])
    story.take({ kind: "resolve" }, minute(60))
    story.take({ kind: "inbound", ago: 5, awaitsReply: true }, minute(70))
    assert.deepStrictEqual(numbers(), [2, minute(65)])
    story.take({ kind: "resolve" }, minute(80))
    story.take({ kind: "reopen" }, minute(90))
    assert.deepStrictEqual(numbers(), [3, minute(90)])
    const quiet = startConversation(ConversationId.make(uuid(3)), pair, true, morning, morning)
    assert.isNull(quiet.episode)
    const opened = Effect.runSync(withStatus(quiet, "open", minute(5)))
    assert.deepStrictEqual(opened.episode, { number: 1, startedAt: minute(5), resolvedAt: null, resolvedBy: null })
  })
})
