import type { KnownToReceiving } from "./KnownToReceiving.ts"
import { identitiesOf, type Meeting } from "./Meeting.ts"
import { nameIn, type PersonalEvent, personOf } from "./PersonalEvent.ts"

/** Those of whom most is told come first, so that whoever is told of in part is known by then. */
export const introduce = (
  meeting: Meeting,
  known: Pick<KnownToReceiving, "accounts">,
  events: ReadonlyArray<PersonalEvent>
) => {
  for (const event of events) {
    const person = personOf(event)
    if (person !== null && identitiesOf(person).length > 1 && known.accounts.has(event.phoneId)) {
      meeting.meet(person, nameIn(event))
    }
  }
}
