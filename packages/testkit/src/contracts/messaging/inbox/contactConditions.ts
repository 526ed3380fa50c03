import { assert } from "@effect/vitest"
import { type ContactId, Contacts, type Filter } from "@parley/domain/crm"
import { ConversationStatus } from "@parley/domain/messaging"
import { Effect } from "effect"
import { all, everyone, givenContact, idsOf, listed } from "../../crm/given.ts"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenOrganization, inside } from "../../given.ts"
import { givenConversation } from "./given.ts"

const withStatus = (...values: ReadonlyArray<ConversationStatus>): Filter => ({
  kind: "known",
  condition: "conversation_status",
  values
})

const without = (of: Filter): Filter => ({ kind: "not", of })

/** Contract of contact filters on conversations. */
export const contactConditions: StorageContract = {
  port: "Contacts (by what is known of their conversations)",
  promises: (it) => {
    it.effect("are found by the statuses of their conversations, and by having none of them", () =>
      Effect.gen(function* () {
        yield* inside(yield* givenOrganization())(givenConversation())
        yield* Effect.gen(function* () {
          const contacts = yield* Contacts
          const people: Array<readonly [id: ContactId, statuses: ReadonlyArray<ConversationStatus>]> = []
          for (const statuses of [[], ["open"], ["resolved"], ["resolved", "resolved", "snoozed"]] as const) {
            const { id } = yield* givenContact()
            for (const status of statuses) yield* givenConversation({ contactId: id, status })
            people.push([id, statuses])
          }
          const asked = [[], ["open"], ["pending"], ["open", "snoozed"], [...ConversationStatus.literals]] as const
          for (const statuses of asked) {
            const has = people.flatMap(([id, own]) =>
              own.some((each) => statuses.some((one) => one === each)) ? [id] : []
            )
            const others = people.flatMap(([id]) => (has.includes(id) ? [] : [id]))
            const filter = withStatus(...statuses)
            assert.deepStrictEqual(idsOf(yield* listed({ ...everyone, filter }, all)), has)
            assert.deepStrictEqual(idsOf(yield* listed({ ...everyone, filter: without(filter) }, all)), others)
            assert.strictEqual(yield* contacts.countOf({ filter, search: null }), has.length)
          }
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Runs the contract of conversation filters against an adapter. */
export const contactConditionsContract = runContract(contactConditions)
