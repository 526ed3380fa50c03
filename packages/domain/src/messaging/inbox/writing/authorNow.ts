import { Effect } from "effect"
import { type ActorRef, CurrentActor, refer } from "../../../kernel/index.ts"
import type { MessageAuthor } from "../Message.ts"

/** Who writes what the inbox answers by itself: that somebody who has opted out has. */
export const serviceAuthor = { kind: "automation", id: "inbox" } as const satisfies MessageAuthor

const kinds: Readonly<Record<ActorRef["kind"], MessageAuthor["kind"]>> = {
  user: "user",
  token: "token",
  plugin: "token",
  automation: "automation",
  workflow: "automation",
  operator: "operator",
  system: "automation",
  anonymous: "automation"
}

/** Whoever acts, as the author of a message. */
export const authorNow = Effect.map(CurrentActor, (actor): MessageAuthor => {
  const { id, kind } = refer(actor)
  return { kind: kinds[kind], id }
})
