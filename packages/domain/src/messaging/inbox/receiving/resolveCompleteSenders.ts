import type { LoadedState } from "./LoadedState.ts"
import { identitiesOf, type ContactResolver } from "./ContactResolver.ts"
import { nameIn, type PersonalEvent, personOf } from "./PersonalEvent.ts"

/** Resolves senders with several ids first, so that events with only one of the ids find the same contact. */
export const resolveCompleteSenders = (
  resolver: ContactResolver,
  known: Pick<LoadedState, "accounts">,
  events: ReadonlyArray<PersonalEvent>
) => {
  for (const event of events) {
    const person = personOf(event)
    if (person !== null && identitiesOf(person).length > 1 && known.accounts.has(event.phoneId)) {
      resolver.resolve(person, nameIn(event))
    }
  }
}
