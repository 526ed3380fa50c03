import {
  type Contact,
  type ContactId,
  createAutomation,
  createTag,
  enableAutomation,
  type NewAutomation,
  type OrganizationId,
  tagContact,
  type TagId,
  untagContact
} from "@parley/domain"
import { givenContact, givenConversation, givenNumber } from "@parley/testkit"
import { Effect } from "effect"
import { within } from "../campaigns/given.ts"

/** Contacts of an organization, each with a conversation that notes are written on. */
export const givenContacts = Effect.fnUntraced(function* (id: OrganizationId, count: number) {
  const { id: chatAccountId } = yield* givenNumber({ id })
  return yield* Effect.forEach(
    Array.from({ length: count }, (_, place) => place),
    Effect.fnUntraced(function* (place) {
      const contact: Contact = yield* givenContact({ id }, { name: `Contact ${place}` })
      yield* givenConversation({ id }, { contactId: contact.id, chatAccountId })
      return contact.id
    }),
    { concurrency: 4 }
  )
})

/** A tag of an organization. */
export const givenTag = (organizationId: OrganizationId, name: string) =>
  Effect.map(within(organizationId)(createTag({ name })), ({ id }) => id)

/** An automation of it that is enabled. */
export const enabled = (organizationId: OrganizationId, input: NewAutomation) =>
  Effect.flatMap(createAutomation(input), ({ id }) => enableAutomation({ id, ifVersion: null })).pipe(
    within(organizationId)
  )

/** An automation that writes the position of its event, after its own marker word, on the conversation when a contact gets one of these tags. */
export const noting = (word: string, tagIds: ReadonlyArray<TagId>): NewAutomation => ({
  name: word,
  when: { event: "contact.tagged", tagIds },
  then: [{ type: "add_note", text: `${word} {{ event.position }}` }]
})

/** Gives a contact a tag, also if the contact has it already. */
export const tagAnew = (organizationId: OrganizationId, contactId: ContactId, tagId: TagId) =>
  Effect.andThen(untagContact({ id: contactId, tag: [tagId] }), tagContact({ id: contactId, tags: [tagId] })).pipe(
    within(organizationId)
  )
