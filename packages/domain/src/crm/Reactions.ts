import { Effect } from "effect"
import { defineSubscriber } from "../platform/events/index.ts"
import { Contacts } from "./Contacts.ts"
import { CrmEvent } from "./Events.ts"
import { Tags } from "./Tags.ts"

/** How many contacts lose a tag in one unit of work. */
const contactsAtOnce = 1_000

/** How many words of names are looked for in one unit of work: each is a search. */
const wordsAtOnce = 50

/** Takes a tag that is gone off the contacts that had it. Until then it is left out wherever they are read. */
const clearTags = defineSubscriber({
  name: "crm.clear_tags",
  schema: CrmEvent,
  events: ["tag.deleted", "tag.merged"],
  beginsWith: "first_event",
  batch: 20,
  handle: Effect.fnUntraced(function* (events) {
    const tags = yield* Tags
    for (const { event } of events) {
      if ((yield* tags.clear(event.tagId, contactsAtOnce)) === contactsAtOnce) return "more"
    }
    return "done"
  })
})

/** Forgets the words of names that nobody has any more, once somebody may have had them last. */
const forgetWords = defineSubscriber({
  name: "crm.forget_words",
  schema: CrmEvent,
  events: [
    "contact.updated",
    "contact.merged",
    "contact.unmerged",
    "contact.deleted",
    "contacts.changed",
    "contacts.imported"
  ],
  beginsWith: "first_event",
  batch: 500,
  handle: () =>
    Effect.flatMap(Contacts, (contacts) =>
      Effect.map(contacts.forgetWords(wordsAtOnce), (doubted) => (doubted === wordsAtOnce ? "more" : "done"))
    )
})

/** What this area does about events. */
export const crmReactions = [clearTags, forgetWords] as const
