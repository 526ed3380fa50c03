import { assert, layer } from "@effect/vitest"
import { showPresence } from "@parley/domain/messaging"
import {
  asOperatorOf,
  asPerson,
  givenConversation,
  givenMember,
  givenMessage,
  givenOrganization,
  MemoryChat,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { tagOf } from "../../tagOf.ts"

const script = MemoryChat.ChatScript

const shown = Effect.gen(function* () {
  const { read, typed } = yield* script
  return { read: yield* read, typed: yield* typed }
})

layer(TestKit.layer)("a presence that the contact sees", (it) => {
  it.effect("marks the last message as read, and shows a typing indicator", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const agent = yield* givenMember(organization, "agent")
      const conversation = yield* givenConversation(organization)
      const show = (state: "viewing" | "typing" | "left") =>
        showPresence({ id: conversation.id, state, showToContact: true }).pipe(asPerson(organization, agent))
      yield* show("typing")
      assert.deepStrictEqual(yield* shown, { read: [], typed: [] })
      yield* givenMessage(organization, conversation, { direction: "inbound", providerMessageId: "wamid.first" })
      yield* show("viewing")
      assert.deepStrictEqual(yield* shown, { read: ["wamid.first"], typed: [] })
      yield* show("typing")
      yield* show("left")
      assert.deepStrictEqual(yield* shown, { read: ["wamid.first", "wamid.first"], typed: ["wamid.first"] })
    })
  )

  it.effect("is allowed for programs, and needs the permission to answer", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const viewer = yield* givenMember(organization, "viewer")
      const { id } = yield* givenConversation(organization)
      const show = (showToContact: boolean) => showPresence({ id, state: "typing", showToContact })
      assert.deepStrictEqual(
        yield* Effect.all([
          tagOf(show(true).pipe(asOperatorOf(organization))),
          tagOf(show(false).pipe(asOperatorOf(organization))),
          tagOf(show(true).pipe(asPerson(organization, viewer))),
          tagOf(show(false).pipe(asPerson(organization, viewer)))
        ]),
        ["ok", "PermissionDenied", "PermissionDenied", "ok"]
      )
    })
  )
})
