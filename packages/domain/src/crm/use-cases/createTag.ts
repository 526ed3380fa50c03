import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { nextId, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { TagId } from "../Ids.ts"
import { type NewTag, plainColor, Tag } from "../Tag.ts"
import { Tags } from "../Tags.ts"

/** Adds a tag. */
export const createTag = useCase(
  "tags.create",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* ({ color = plainColor, name }: NewTag) {
    const now = yield* DateTime.now
    const id = yield* nextId(TagId)
    const tag = new Tag({ id, name, color, contactCount: 0, createdAt: now, updatedAt: now, version: 1 })
    yield* (yield* Tags).insert(tag)
    yield* record("tag.created", { kind: "tag", id }, { after: { name, color } })
    yield* appendEvent({ type: "tag.created", tagId: id })
    return tag
  }, transact)
)
