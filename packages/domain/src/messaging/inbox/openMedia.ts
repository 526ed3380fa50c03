import { DateTime, Duration, Effect, Schema, Stream } from "effect"
import { type ChatAccountId, ChatAccounts, channelFor, openLine } from "../chat/index.ts"
import { FileId, Files } from "../../platform/files/index.ts"
import { nextId, transact } from "../../kernel/index.ts"
import { MediaLost, MediaUnavailable } from "./Errors.ts"
import { mostBytes } from "./files.ts"
import type { MediaId } from "./Ids.ts"
import { Media } from "./Media.ts"
import { MediaLibrary } from "./MediaLibrary.ts"
import { MediaTurns } from "./MediaTurns.ts"
import { shownMedia } from "./shownMedia.ts"

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
