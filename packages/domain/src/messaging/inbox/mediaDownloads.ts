import { Context, DateTime, Duration, Effect, Layer, Schema, Semaphore, Stream } from "effect"
import { nextId, transact } from "../../kernel/index.ts"
import { FileId, Files } from "../../platform/files/index.ts"
import { channelFor, type ChatAccountId, ChatAccounts, openLine } from "../chat/index.ts"
import { Media, MediaLibrary, shownMedia } from "./MediaLibrary.ts"
import type { MediaId } from "./Message.ts"
import { MediaLost, MediaUnavailable } from "./errors.ts"
import { mostBytes } from "./mediaTypes.ts"

type Turn = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** How many large files a process has in memory at once. */
const mostLargeFiles = 3

/** Who may move which file now, on this process. */
export class MediaTurns extends Context.Service<
  MediaTurns,
  {
    /** One after the other for each file: whoever comes second finds what the first one has fetched. */
    readonly fetching: (id: MediaId) => Turn
    /** Files are whole in memory while they are handed on: of large ones, few are so at once. */
    readonly handingOn: Turn
  }
>()("@parley/domain/messaging/inbox/MediaTurns") {
  /** The turns of this process. */
  static readonly layer = Layer.effect(
    MediaTurns,
    Effect.gen(function* () {
      const turns = new Map<MediaId, { readonly turn: Semaphore.Semaphore; waiting: number }>()
      const largeFiles = yield* Semaphore.make(mostLargeFiles)
      return MediaTurns.of({
        fetching: (id) => (effect) =>
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
          ),
        handingOn: (effect) => largeFiles.withPermit(effect)
      })
    })
  )
}

/** The provider has answered that it does not hand the file out; `forGood` where it is of no use to ask again. */
class Refused extends Schema.TaggedError<Refused>()("Refused", { forGood: Schema.Boolean }) {}

const refused = new Refused({ forGood: false })

const atMost =
  (most: number) =>
  <E>(bytes: Stream.Stream<Uint8Array, E>) =>
    Stream.suspend(() => {
      let size = 0
      return Stream.mapEffect(bytes, (piece) => {
        size += piece.length
        return size > most ? Effect.fail(refused) : Effect.succeed(piece)
      })
    })

/** No provider promises to keep a file for longer: after this time a refusal means that it is lost. */
const keptByProvider = Duration.days(30)

const isPast = (now: DateTime.Utc, begun: DateTime.Utc, duration: Duration.Duration) =>
  DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(begun, duration))

/** A number that was removed may be connected again as long as the provider keeps the file. */
const withoutAccount = Effect.fnUntraced(function* (createdAt: DateTime.Utc, id: ChatAccountId) {
  const isRemoved = (yield* (yield* ChatAccounts).removed()).some(({ account }) => account.id === id)
  if (!isRemoved || isPast(yield* DateTime.now, createdAt, keptByProvider)) return yield* new Refused({ forGood: true })
  return yield* new MediaUnavailable()
})

const download = Effect.fnUntraced(
  function* ({ createdAt, kind }: Media, remote: NonNullable<Media["remote"]>) {
    const [account] = yield* (yield* ChatAccounts).find([remote.chatAccountId])
    if (account === undefined) return yield* withoutAccount(createdAt, remote.chatAccountId)
    const media = yield* channelFor(account, "media")
    const { bytes } = yield* media.download(yield* openLine(account), remote.mediaId, mostBytes[kind])
    const fileId = yield* nextId(FileId)
    const { size } = yield* (yield* Files).write(fileId, atMost(mostBytes[kind])(bytes))
    return { fileId, size }
  },
  Effect.mapError((error) => {
    if (error._tag === "Refused") return error
    // This refusal is about the file itself: all others are temporary, or can be fixed.
    return error._tag === "ChannelRefused" && error.remedy === "give_up" ? refused : new MediaUnavailable()
  })
)

/** Stores the fetched file, unless another node was faster or the file was erased meanwhile. */
const keep = Effect.fnUntraced(function* (
  media: Media,
  { fileId, size }: { readonly fileId: FileId; readonly size: number }
) {
  const library = yield* MediaLibrary
  const stored = new Media({ ...media, state: "stored", fileId, size, refusedSince: null })
  if (yield* library.save(stored)) return stored
  yield* (yield* Files).remove(fileId)
  return yield* library.get(media.id)
}, transact)

/** A provider that still refuses after this time does not have the file any more. */
const patience = Duration.hours(1)

/** Stores the refusal, and marks the file as lost if the refusal is final. */
const keepRefusal = Effect.fnUntraced(function* (media: Media, { forGood }: Refused) {
  const now = yield* DateTime.now
  const refusedSince = media.refusedSince ?? now
  const isLost = forGood || isPast(now, refusedSince, patience) || isPast(now, media.createdAt, keptByProvider)
  const after = new Media({ ...media, state: isLost ? "lost" : media.state, refusedSince })
  const isStored = !(yield* (yield* MediaLibrary).save(after))
  return isLost && !isStored ? new MediaLost() : new MediaUnavailable()
}, transact)

/** The file, fetched if necessary. No unit of work may be open, since the provider may be called. */
const fetched = Effect.fnUntraced(
  function* (id: MediaId) {
    const media = yield* (yield* MediaLibrary).get(id)
    if (media.state === "stored") return media
    if (media.state === "lost" || media.remote === null) return yield* new MediaLost()
    const file = yield* Effect.catchTag(download(media, media.remote), "Refused", (refusal) =>
      Effect.flatMap(keepRefusal(media, refusal), Effect.fail)
    )
    return yield* keep(media, file)
  },
  (effect, id) => Effect.flatMap(MediaTurns, ({ fetching }) => fetching(id)(effect))
)

/** A file and its bytes, which are fetched from the provider where they are not here yet. Call it outside of a unit of work. */
export const openMedia = Effect.fnUntraced(function* (id: MediaId) {
  const known = yield* (yield* MediaLibrary).get(id)
  const media = known.state === "stored" ? known : yield* fetched(id)
  const { fileId } = media
  if (fileId === null) return yield* new MediaLost()
  return { media: shownMedia(media), bytes: (yield* Files).read(fileId, 0) }
})
