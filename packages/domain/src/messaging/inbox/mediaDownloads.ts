import { Context, DateTime, Duration, Effect, Layer, Schema, Semaphore, Stream } from "effect"
import { nextId, transact } from "../../kernel/index.ts"
import { FileId, Files } from "../../platform/files/index.ts"
import { channelFor, type ChatAccountId, ChatAccounts, openProviderConnection } from "../chat/index.ts"
import { Media, MediaLibrary, toMediaView } from "./MediaLibrary.ts"
import type { MediaId } from "./Message.ts"
import { MediaGone, MediaUnavailable } from "./errors.ts"
import { maxMediaBytes } from "./mediaTypes.ts"

type TransferLock = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** How many large files a process has in memory at once. */
const maxLargeFiles = 3

/** Who may move which file now, on this process. */
export class MediaTransferLocks extends Context.Service<
  MediaTransferLocks,
  {
    /** One after the other for each file: whoever comes second finds what the first one has fetched. */
    readonly fetching: (id: MediaId) => TransferLock
    /** Files are whole in memory while they are handed on: of large ones, few are so at once. */
    readonly handingOn: TransferLock
  }
>()("@parley/domain/messaging/inbox/MediaTransferLocks") {
  /** The turns of this process. */
  static readonly layer = Layer.effect(
    MediaTransferLocks,
    Effect.gen(function* () {
      const turns = new Map<MediaId, { readonly turn: Semaphore.Semaphore; waiting: number }>()
      const largeFiles = yield* Semaphore.make(maxLargeFiles)
      return MediaTransferLocks.of({
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
class DownloadRefused extends Schema.TaggedError<DownloadRefused>()("Refused", { forGood: Schema.Boolean }) {}

const temporaryRefusal = new DownloadRefused({ forGood: false })

const limitSize =
  (most: number) =>
  <E>(bytes: Stream.Stream<Uint8Array, E>) =>
    Stream.suspend(() => {
      let size = 0
      return Stream.mapEffect(bytes, (piece) => {
        size += piece.length
        return size > most ? Effect.fail(temporaryRefusal) : Effect.succeed(piece)
      })
    })

/** No provider promises to keep a file for longer: after this time a refusal means that it is lost. */
const providerRetention = Duration.days(30)

const hasElapsed = (now: DateTime.Utc, begun: DateTime.Utc, duration: Duration.Duration) =>
  DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(begun, duration))

/** A number that was removed may be connected again as long as the provider keeps the file. */
const failWithoutAccount = Effect.fnUntraced(function* (createdAt: DateTime.Utc, id: ChatAccountId) {
  const isRemoved = (yield* (yield* ChatAccounts).removed()).some(({ account }) => account.id === id)
  if (!isRemoved || hasElapsed(yield* DateTime.now, createdAt, providerRetention))
    return yield* new DownloadRefused({ forGood: true })
  return yield* new MediaUnavailable()
})

const download = Effect.fnUntraced(
  function* ({ createdAt, kind }: Media, remote: NonNullable<Media["remote"]>) {
    const [account] = yield* (yield* ChatAccounts).find([remote.chatAccountId])
    if (account === undefined) return yield* failWithoutAccount(createdAt, remote.chatAccountId)
    const media = yield* channelFor(account, "media")
    const { bytes } = yield* media.download(yield* openProviderConnection(account), remote.mediaId, maxMediaBytes[kind])
    const fileId = yield* nextId(FileId)
    const { size } = yield* (yield* Files).write(fileId, limitSize(maxMediaBytes[kind])(bytes))
    return { fileId, size }
  },
  Effect.mapError((error) => {
    if (error._tag === "Refused") return error
    // This refusal is about the file itself: all others are temporary, or can be fixed.
    return error._tag === "ChannelRefused" && error.remedy === "give_up" ? temporaryRefusal : new MediaUnavailable()
  })
)

/** Stores the fetched file, unless another node was faster or the file was erased meanwhile. */
const saveDownload = Effect.fnUntraced(function* (
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
const refusalTimeout = Duration.hours(1)

/** Stores the refusal, and marks the file as lost if the refusal is final. */
const saveRefusal = Effect.fnUntraced(function* (media: Media, { forGood }: DownloadRefused) {
  const now = yield* DateTime.now
  const refusedSince = media.refusedSince ?? now
  const isLost =
    forGood || hasElapsed(now, refusedSince, refusalTimeout) || hasElapsed(now, media.createdAt, providerRetention)
  const after = new Media({ ...media, state: isLost ? "lost" : media.state, refusedSince })
  const isStored = !(yield* (yield* MediaLibrary).save(after))
  return isLost && !isStored ? new MediaGone() : new MediaUnavailable()
}, transact)

/** The file, fetched if necessary. No unit of work may be open, since the provider may be called. */
const ensureDownloaded = Effect.fnUntraced(
  function* (id: MediaId) {
    const media = yield* (yield* MediaLibrary).get(id)
    if (media.state === "stored") return media
    if (media.state === "lost" || media.remote === null) return yield* new MediaGone()
    const file = yield* Effect.catchTag(download(media, media.remote), "Refused", (refusal) =>
      Effect.flatMap(saveRefusal(media, refusal), Effect.fail)
    )
    return yield* saveDownload(media, file)
  },
  (effect, id) => Effect.flatMap(MediaTransferLocks, ({ fetching }) => fetching(id)(effect))
)

/** A file and its bytes, which are fetched from the provider where they are not here yet. Call it outside of a unit of work. */
export const openMedia = Effect.fnUntraced(function* (id: MediaId) {
  const known = yield* (yield* MediaLibrary).get(id)
  const media = known.state === "stored" ? known : yield* ensureDownloaded(id)
  const { fileId } = media
  if (fileId === null) return yield* new MediaGone()
  return { media: toMediaView(media), bytes: (yield* Files).read(fileId, 0) }
})
