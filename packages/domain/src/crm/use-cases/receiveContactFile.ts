import { DateTime, Effect, Stream } from "effect"
import { FileId, Files } from "../../platform/files/index.ts"
import { nextId, transact, useCase } from "../../kernel/index.ts"
import { ContactImports } from "../imports/ContactImports.ts"
import { type ContactFile, FileTooLarge } from "../imports/ContactFile.ts"

const atMost =
  (max: number) =>
  (bytes: Stream.Stream<Uint8Array>): Stream.Stream<Uint8Array, FileTooLarge> =>
    Stream.suspend(() => {
      let size = 0
      return Stream.mapEffect(bytes, (piece) => {
        size += piece.length
        return size > max ? Effect.fail(new FileTooLarge({ max })) : Effect.succeed(piece)
      })
    })

/** Takes the file of an import in, piece by piece. It is no part of a unit of work: call it outside of one. */
export const receiveContactFile = useCase(
  "contacts.receiveFile",
  { access: { permission: "contacts.import" } },
  Effect.fnUntraced(function* (bytes: Stream.Stream<Uint8Array>, max: number) {
    const id = yield* nextId(FileId)
    yield* transact(
      Effect.flatMap(DateTime.now, (now) => Effect.flatMap(ContactImports, (imports) => imports.expectFile(id, now)))
    )
    const { size } = yield* (yield* Files).write(id, atMost(max)(bytes))
    return { id, size } satisfies ContactFile
  })
)
