import { DateTime, Effect, Schema } from "effect"
import { NotFound } from "../kernel/index.ts"
import { recordAudit } from "../platform/audit/index.ts"
import { defineJob, JobFailed } from "../platform/jobs/index.ts"
import type { Contact } from "./Contact.ts"
import { Contacts, lockContact } from "./Contacts.ts"
import { TagId } from "./Identity.ts"
import { type TagRef, Tags } from "./Tags.ts"
import { normalizeName } from "./contactSearch.ts"
import { appendEvent } from "./events.ts"

const isTagId = Schema.is(TagId)

/** Resolves the tags that a request names by id or name, without duplicates. Fails if one does not exist. */
export const resolveTagRefs = Effect.fnUntraced(function* (named: ReadonlyArray<TagRef>, pointer: string) {
  if (named.length === 0) return []
  const tags = yield* Tags
  const ids = named.filter((each) => isTagId(each))
  const names = named.filter((each) => !isTagId(each))
  const found = [...(yield* tags.find(ids)), ...(yield* tags.findByName(names))]
  const known = new Map<string, TagId>(
    found.flatMap(({ id, name }) => [[id, id] as const, [normalizeName(name), id] as const])
  )
  const meant = new Set<TagId>()
  for (const [index, each] of named.entries()) {
    const id = known.get(isTagId(each) ? each : normalizeName(each))
    if (id === undefined) {
      const by = isTagId(each) ? {} : { by: "name" as const }
      return yield* new NotFound({ resource: "tag", pointer: `${pointer}/${index}`, ...by })
    }
    meant.add(id)
  }
  return [...meant]
})

/** Adds tags to a locked contact, with its audit entry and event. */
export const addTags = Effect.fnUntraced(function* (contact: Contact, tags: ReadonlyArray<TagId>) {
  const added = tags.filter((tag) => !contact.tags.includes(tag))
  if (added.length === 0) return contact
  const contacts = yield* Contacts
  yield* contacts.tag([contact.id], added, yield* DateTime.now)
  yield* recordAudit("contact.tagged", { kind: "contact", id: contact.id }, { after: { tags: [...added] } })
  yield* appendEvent({ type: "contact.tagged", contactId: contact.id, tagIds: added })
  return yield* lockContact(contact.id)
})

/** Removes tags from a locked contact, with its audit entry and event. */
export const removeTags = Effect.fnUntraced(function* (contact: Contact, tags: ReadonlyArray<TagId>) {
  const removed = tags.filter((tag) => contact.tags.includes(tag))
  if (removed.length === 0) return contact
  const contacts = yield* Contacts
  yield* contacts.untag([contact.id], removed, yield* DateTime.now)
  yield* recordAudit("contact.untagged", { kind: "contact", id: contact.id }, { before: { tags: [...removed] } })
  yield* appendEvent({ type: "contact.untagged", contactId: contact.id, tagIds: removed })
  return yield* lockContact(contact.id)
})

/** Number of contacts in a step. */
const stepSize = 1_000

/** Moves one tag to another on every contact, then deletes it. */
export const mergeTagsJob = defineJob({
  name: "tags.merge",
  needs: null,
  input: Schema.Struct({ from: TagId, to: TagId }),
  checkpoint: Schema.Struct({ moved: Schema.Int }),
  step: Effect.fnUntraced(function* ({ from, to }, checkpoint) {
    const tags = yield* Tags
    const [into] = yield* tags.find([to])
    if (into === undefined) return yield* new JobFailed({ reason: "The tag to merge into was deleted." })
    const moved = yield* tags.move(from, to, stepSize, yield* DateTime.now)
    const total = (checkpoint?.moved ?? 0) + moved
    const done = moved < stepSize
    if (done) {
      yield* Effect.ignore(tags.remove(from, null))
      yield* appendEvent({ type: "tag.merged", tagId: from, into: to })
    }
    return { checkpoint: { moved: total }, done, progress: { done: total, total: null }, counts: { moved: total } }
  })
})
