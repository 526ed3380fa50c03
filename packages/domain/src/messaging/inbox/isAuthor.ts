import { Effect } from "effect"
import { CurrentActor, refer } from "../../kernel/index.ts"
import type { Note } from "./Note.ts"

/** Whether whoever asks has written the note. */
export const isAuthor = ({ author }: Note) =>
  Effect.map(CurrentActor, (actor) => {
    const { id, kind } = refer(actor)
    return kind === author.kind && id === author.id
  })
