import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case                 | who may     | plan gate
events.follow            | events.read | -
events.list              | events.read | -
subscribers.forget       | operator    | -
subscribers.list         | operator    | -
subscribers.listParked   | operator    | -
subscribers.replayParked | operator    | -
subscribers.rewind       | operator    | -
subscribers.skipParked   | operator    | -
`,
  access: `
use case                 | stranger | viewer | agent | admin | owner | token | operator
events.follow            | -        | yes    | yes   | yes   | yes   | yes   | yes
events.list              | -        | yes    | yes   | yes   | yes   | yes   | yes
subscribers.forget       | -        | -      | -     | -     | -     | -     | yes
subscribers.list         | -        | -      | -     | -     | -     | -     | yes
subscribers.listParked   | -        | -      | -     | -     | -     | -     | yes
subscribers.replayParked | -        | -      | -     | -     | -     | -     | yes
subscribers.rewind       | -        | -      | -     | -     | -     | -     | yes
subscribers.skipParked   | -        | -      | -     | -     | -     | -     | yes
`,
  trails: `
use case                 | audit event                | event
subscribers.forget       | subscriber.forgotten       | -
subscribers.replayParked | subscriber.parked_replayed | -
subscribers.rewind       | subscriber.rewound         | -
subscribers.skipParked   | subscriber.parked_skipped  | -
`,
  traceless: ["events.follow", "events.list", "subscribers.list", "subscribers.listParked"]
}
