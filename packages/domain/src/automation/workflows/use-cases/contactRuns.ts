import { DateTime, Effect } from "effect"
import { type ContactId, Contacts } from "../../../crm/index.ts"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { loadContactRuns, readableRunKinds } from "../runs/ContactRun.ts"

/** Runs of one contact to list. */
export interface ContactRunsRequest {
  readonly id: ContactId
  readonly page: PageRequest
}

/**
 * Lists the runs of automations and workflows for a contact, newest first. Omits kinds that the actor cannot read, and
 * runs whose conditions did not hold.
 */
export const listContactRuns = useCase(
  { name: "contacts.listRuns", access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* ({ id: contactId, page }: ContactRunsRequest) {
    const kinds = yield* readableRunKinds
    yield* (yield* Contacts).get(contactId)
    return yield* paged(
      `contact_runs/${contactId}`,
      page,
      (slice) => loadContactRuns(contactId, kinds, slice),
      ({ at, id }) => [DateTime.formatIso(at), id]
    )
  })
)
