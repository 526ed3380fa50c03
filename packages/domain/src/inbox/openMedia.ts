import { Effect, Semaphore, Stream } from "effect"
import { ChatAccounts, ChatChannel, openLine } from "../chat/index.ts"
import { FileId, Files } from "../files/index.ts"
import { nextId, NotFound, transact } from "../kernel/index.ts"
import { MediaUnavailable } from "./Errors.ts"
import { mostBytes } from "./files.ts"
import type { MediaId } from "./Ids.ts"
import { Media, MediaView } from "./Media.ts"
import { MediaLibrary } from "./MediaLibrary.ts"

/** A file as it is shown. */
export const shownMedia = ({ createdAt, filename, id, kind, mimeType, size }: Media): MediaView =>
  new MediaView({ id, kind, mimeType, filename, size, createdAt })

const turns = new Map<MediaId, { readonly turn: Semaphore.Semaphore; waiting: number }>()

/** One after the other for each file, on this node: whoever comes second finds what the first one has fetched. */
const inTurn =
  (id: MediaId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const place = turns.get(id) ?? { turn: Semaphore.makeUnsafe(1), waiting: 0 }
        place.waiting += 1
        turns.set(id, place)
        return place
      }),
      ({ turn }) => turn.withPermit(effect),
      (place) =>
        Effect.sync(() => {
          place.waiting -= 1
          if (place.waiting === 0) turns.delete(id)
        })
    )

const atMost =
  (most: number) =>
  <E>(bytes: Stream.Stream<Uint8Array, E>) =>
    Stream.suspend(() => {
      let size = 0
      return Stream.mapEffect(bytes, (piece) => {
        size += piece.length
        return size > most ? Effect.fail(new MediaUnavailable()) : Effect.succeed(piece)
      })
    })

const download = Effect.fnUntraced(
  function* ({ kind }: Media, remote: NonNullable<Media["remote"]>) {
    const [account] = yield* (yield* ChatAccounts).find([remote.chatAccountId])
    if (account === undefined) return yield* new MediaUnavailable()
    const line = yield* openLine(account)
    const { bytes } = yield* (yield* ChatChannel).downloadMedia(line, remote.mediaId, mostBytes[kind])
    const fileId = yield* nextId(FileId)
    const { size } = yield* (yield* Files).write(fileId, atMost(mostBytes[kind])(bytes))
    return { fileId, size }
  },
  Effect.mapError(() => new MediaUnavailable())
)

/** Keeps what was fetched, unless it is of no use any more: another node was quicker, or the file was forgotten meanwhile. */
const keep = Effect.fnUntraced(function* (
  id: MediaId,
  { fileId, size }: { readonly fileId: FileId; readonly size: number }
) {
  const library = yield* MediaLibrary
  const now = yield* Effect.catchTag(library.get(id), "NotFound", () => Effect.succeed(null))
  if (now === null || now.state === "stored") {
    yield* (yield* Files).remove(fileId)
    return now
  }
  const stored = new Media({ ...now, state: "stored", fileId, size })
  yield* library.save(stored)
  return stored
}, transact)

/** The file, with its bytes here. No unit of work may be open: the provider may have to be asked. */
const fetched = (id: MediaId) =>
  inTurn(id)(
    Effect.gen(function* () {
      const media = yield* (yield* MediaLibrary).get(id)
      if (media.state === "stored") return media
      if (media.state === "lost" || media.remote === null) return yield* new MediaUnavailable()
      return (yield* keep(id, yield* download(media, media.remote))) ?? (yield* new NotFound({ resource: "media" }))
    })
  )

/** A file and its bytes, which are fetched from the provider where they are not here yet. Call it outside of a unit of work. */
export const openMedia = Effect.fnUntraced(function* (id: MediaId) {
  const known = yield* (yield* MediaLibrary).get(id)
  const media = known.state === "stored" ? known : yield* fetched(id)
  const { fileId } = media
  if (fileId === null) return yield* new MediaUnavailable()
  return { media: shownMedia(media), bytes: (yield* Files).read(fileId, 0) }
})
