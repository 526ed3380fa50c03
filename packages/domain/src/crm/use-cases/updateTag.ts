import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { Locks, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { TagId } from "../Ids.ts"
import { Tag, type TagPatch } from "../Tag.ts"
import { Tags } from "../Tags.ts"

/** Changes the name or the color of a tag. */
export const updateTag = useCase(
  "tags.update",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: TagId, patch: TagPatch, expectedVersion: number | null) {
    const tags = yield* Tags
    yield* (yield* Locks).exclusive("tags")
    const before = yield* tags.get(id)
    yield* requireVersion(before, expectedVersion)
    const { color = before.color, name = before.name } = patch
    if (name === before.name && color === before.color) return before
    const after = yield* tags.save(new Tag({ ...before, name, color, updatedAt: yield* DateTime.now }), expectedVersion)
    yield* record(
      "tag.updated",
      { kind: "tag", id },
      { before: { name: before.name, color: before.color }, after: { name, color } }
    )
    yield* appendEvent({ type: "tag.updated", tagId: id })
    return after
  }, transact)
)
