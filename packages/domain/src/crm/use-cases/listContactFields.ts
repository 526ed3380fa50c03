import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import { ContactFields } from "../ContactFields.ts"

/** Reads the custom fields, oldest first. */
export const listContactFields = useCase(
  "contactFields.list",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const fields = yield* ContactFields
    return yield* paged(
      "contact_fields",
      page,
      ({ after, limit }) =>
        Effect.map(fields.all(), (all) =>
          all.filter(({ id }) => after === null || id > (after[0] ?? "")).slice(0, limit)
        ),
      (field) => [field.id]
    )
  })
)
