import { Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { TagId } from "../Ids.ts"
import { Tags } from "../Tags.ts"

/** Deletes a tag. From that moment no contact has it. */
export const deleteTag = useCase(
  "tags.delete",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: TagId, expectedVersion: number | null) {
    const tags = yield* Tags
    const before = yield* tags.get(id)
    yield* tags.remove(id, expectedVersion)
    yield* record("tag.deleted", { kind: "tag", id }, { before: { name: before.name, color: before.color } })
    yield* appendEvent({ type: "tag.deleted", tagId: id })
  }, transact)
)
