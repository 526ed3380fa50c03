import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { TagId } from "@parley/domain/crm"
import { getConversation, type MessageId } from "@parley/domain/messaging"
import { type Action, createSchedule, ScheduleId, tryAction } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect } from "effect"
import { asOperatorOf } from "../../../fixtures/actors.ts"
import { givenMessage } from "../../../fixtures/inbox.ts"
import type { Contract } from "../../contract.ts"
import { freshId, givenMember } from "../../given.ts"
import { morning, given, type World, talking, perform, codeOf, effectOf, messagesIn, text } from "./actionWorld.ts"

/** Away replies, assignment, and tests of actions. */
export const actionRepliesPromises: Contract<Ports>["promises"] = (it) => {
  it.effect("sends an away reply once while a schedule is closed", () =>
    Effect.gen(function* () {
      const world = yield* talking(yield* given)
      const { conversation, organization } = world
      const { id: scheduleId } = yield* createSchedule({ name: "Never", weekly: {} }).pipe(
        asOperatorOf(organization),
        Effect.orDie
      )
      const away: Action = {
        type: "send_away",
        scheduleId,
        message: { kind: "text", text: "Back soon, {{ firstName }}" }
      }
      assert.isNull(effectOf(yield* perform(world, away)))
      yield* givenMessage(organization, conversation)
      assert.strictEqual(effectOf(yield* perform(world, away))?.kind, "message")
      assert.isNull(effectOf(yield* perform(world, away)))
      const [last, ...others] = yield* messagesIn(organization, conversation.id)
      assert.deepStrictEqual([last?.text, last?.author.kind, others.length], ["Back soon, Ada", "automation", 1])
      const unknown = yield* perform(world, { ...away, scheduleId: freshId(ScheduleId) })
      assert.strictEqual(codeOf(unknown), "not_found")
    })
  )

  it.effect("sends an away reply for the message of the event despite later messages", () =>
    Effect.gen(function* () {
      const world = yield* talking(yield* given)
      const { conversation, organization } = world
      const { id: scheduleId } = yield* createSchedule({ name: "Never", weekly: {} }).pipe(
        asOperatorOf(organization),
        Effect.orDie
      )
      const about = (messageId: MessageId): Pick<World, "cause" | "facts" | "organization"> => ({
        ...world,
        facts: { ...world.facts, conversationId: conversation.id, messageId }
      })
      const away: Action = { type: "send_away", scheduleId, message: { kind: "text", text: "Back soon" } }
      const reaction = yield* givenMessage(organization, conversation, { kind: "reaction", text: null })
      const old = yield* givenMessage(organization, conversation, { at: DateTime.subtract(morning, { minutes: 6 }) })
      const latest = yield* givenMessage(organization, conversation)
      for (const { id } of [reaction, old]) assert.isNull(effectOf(yield* perform(about(id), away)))
      yield* givenMessage(organization, conversation, { kind: "reaction", text: null })
      assert.strictEqual(effectOf(yield* perform(about(latest.id), away))?.kind, "message")
    })
  )

  it.effect("assigns an unassigned conversation to a free member once", () =>
    Effect.gen(function* () {
      const world = yield* talking(yield* given)
      const { conversation, organization } = world
      const handing: Action = { type: "auto_assign", memberIds: null, sticky: true, whenNone: "leave" }
      assert.isNull(effectOf(yield* perform(world, handing)))
      const { user } = yield* givenMember(organization, "agent")
      const effect = { kind: "conversation" as const, id: conversation.id }
      assert.deepStrictEqual(yield* perform(world, handing), {
        kind: "done",
        effect,
        assignment: { result: "assigned", assigneeId: user.id, because: "lowest_load" }
      })
      assert.isNull(effectOf(yield* perform(world, handing)))
      const { assigneeId } = yield* getConversation({ id: conversation.id }).pipe(
        asOperatorOf(organization),
        Effect.orDie
      )
      assert.strictEqual(assigneeId, user.id)
    })
  )

  it.effect("says what an action would do, and leaves nothing of it", () =>
    Effect.gen(function* () {
      const world = yield* talking(yield* given)
      const { cause, conversation, facts, organization } = world
      const attempt = (action: Action) => transact(tryAction(action, { cause, facts })).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(yield* attempt(text("Hi {{ firstName }}")), {
        type: "send_message",
        rendered: { type: "send_message", message: { kind: "text", text: "Hi Ada" } },
        refusal: null
      })
      assert.lengthOf(yield* messagesIn(organization, conversation.id), 0)
      const { refusal, rendered } = yield* attempt({ type: "tag", tagIds: [freshId(TagId)] })
      assert.strictEqual(refusal?.code, "not_found")
      assert.isNotNull(rendered)
      const unmade = yield* attempt(text("{{ cart.id }}"))
      assert.deepStrictEqual([unmade.rendered, unmade.refusal?.code], [null, "missing_variable"])
    })
  )
}
