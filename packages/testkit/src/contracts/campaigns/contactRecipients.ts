import { assert } from "@effect/vitest"
import { ContactId, ContactRecipients, RecipientLedger, RecipientList, transact } from "@parley/domain"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { givenBroadcast } from "./given.ts"

const everybody = { status: null, reason: null, variant: null, replied: null, contactId: null }

export const contactRecipients: StorageContract = {
  port: "ContactRecipients",
  promises: (it) => {
    it.effect("forgets where contacts were to be sent to, and leaves them on the list", () =>
      Effect.flatMap(givenOrganization(), (organization) =>
        Effect.gen(function* () {
          const { id } = yield* givenBroadcast()
          const [gone, other] = [freshId(ContactId), freshId(ContactId)]
          const recipients = [gone, other].map((contactId) => {
            const address = { kind: "phone", value: "+491701234567" } as const
            return { contactId, address, variant: null, dueAt: null, left: null }
          })
          yield* transact((yield* RecipientLedger).list(id, recipients))
          yield* transact((yield* ContactRecipients).forget([gone]))
          const { rows } = yield* (yield* RecipientList).list(id, everybody, { limit: 9, after: null })
          assert.deepStrictEqual(
            rows.map(({ address, contactId, status }) => [contactId, address, status]),
            [
              [gone, null, "pending"],
              [other, "+491701234567", "pending"]
            ]
          )
        }).pipe(inside(organization))
      )
    )
  }
}

/** What every `ContactRecipients` promises. */
export const contactRecipientsContract = runContract(contactRecipients)
