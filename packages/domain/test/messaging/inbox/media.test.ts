import { assert, describe, it, layer } from "@effect/vitest"
import { nextId, transact, type UnitOfWork } from "@parley/domain/kernel"
import { FileId, Files } from "@parley/domain/platform"
import {
  type ChannelFailure,
  ChannelRefused,
  ChannelUnreachable,
  dropMedia,
  isFileOfType,
  saveMedia,
  mediaKindOf,
  Media,
  MediaId,
  MediaLibrary,
  mimeTypes,
  maxMediaBytes,
  sanitizeFilename,
  readMedia,
  receiveMedia,
  type Remedy,
  uploadMedia
} from "@parley/domain/messaging"
import { asOperatorOf, givenNumber, givenOrganization, MemoryChat, type Of, TestKit } from "@parley/testkit"
import { Deferred, DateTime, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { whyOf } from "./faults.ts"

const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** First bytes of a file of each type. */
const heads: Readonly<Record<string, ReadonlyArray<Uint8Array>>> = {
  "image/jpeg": [latin("\xff\xd8\xff\xe0\0\x10JFIF")],
  "image/png": [latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR")],
  "image/webp": [latin("RIFF\x24\0\0\0WEBPVP8 ")],
  "video/mp4": [latin("\0\0\0\x20ftypisom")],
  "video/3gpp": [latin("\0\0\0\x18ftyp3gp4")],
  "audio/aac": [latin("\xff\xf1\x50\x80"), latin("\xff\xf9\x50\x80")],
  "audio/mp4": [latin("\0\0\0\x20ftypM4A ")],
  "audio/mpeg": [latin("ID3\x04\0\0"), latin("\xff\xfb\x90\x64")],
  "audio/amr": [latin("#!AMR\n")],
  "audio/ogg": [latin("OggS\0\x02")],
  "application/pdf": [latin("%PDF-1.7\n")],
  "application/msword": [latin("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")],
  "application/vnd.ms-excel": [latin("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")],
  "application/vnd.ms-powerpoint": [latin("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": [latin("PK\x03\x04\x14\0")],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": [latin("PK\x03\x04\x14\0")],
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": [latin("PK\x03\x04\x14\0")],
  "text/plain": [latin("Bread: 2\r\n\tMilk: 1"), new TextEncoder().encode("Käse, 日本語 🥐")]
}

const hostile = [
  "<html><script>alert(1)</script>",
  "\ufeff<!DOCTYPE html>",
  "  \n<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'>",
  "<?xml version='1.0'?><svg/>",
  "#!/bin/sh\nrm -rf /",
  "Dear all,\n<IFRAME src=x>",
  "MZ\x90\0\x03",
  "\x7fELF\x02\x01",
  ""
]

describe("the bytes of a file", () => {
  it("are known by how files of each type begin", () => {
    assert.deepStrictEqual(Object.keys(heads), mimeTypes)
    for (const [type, samples] of Object.entries(heads)) {
      for (const head of samples) assert.isTrue(isFileOfType(type, head), type)
    }
  })

  it("are never taken for a file of another kind", () => {
    // One container holds video and audio. Plain text can start like a document or like audio.
    const isAlike = (one: string, other: string) =>
      [one, other].every((type) => /mp4|3gpp|aac/u.test(type)) ||
      (other === "text/plain" && ["audio/amr", "application/pdf"].includes(one))
    const mistaken = Object.entries(heads).flatMap(([type, samples]) =>
      mimeTypes
        .filter((other) => mediaKindOf(other) !== mediaKindOf(type) && !isAlike(type, other))
        .filter((other) => samples.some((head) => isFileOfType(other, head)))
        .map((other) => `${type} as ${other}`)
    )
    assert.deepStrictEqual(mistaken, [])
  })

  it.each(hostile)("that a browser or a machine could run are no file of any type: %j", (text) => {
    const head = new TextEncoder().encode(text)
    for (const type of mimeTypes) assert.isFalse(isFileOfType(type, head), type)
  })

  it("are of no type that cannot be sent", () => {
    for (const type of ["image/svg+xml", "text/html", "application/zip", "application/x-sh", "constructor", ""]) {
      assert.isNull(mediaKindOf(type), type)
    }
    assert.strictEqual(mediaKindOf("Audio/OGG; codecs=opus"), "audio")
  })
})

describe("the name of a file", () => {
  it.each([
    ["bread.png", "bread.png"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\ada\\bread.png", "bread.png"],
    ["a\r\nSet-Cookie: x.txt", "aSet-Cookie_ x.txt"],
    ["gpj\u202e.exe", "gpj.exe"],
    ["..", null],
    ["/", null],
    [" \0 ", null],
    [".htaccess", "htaccess"],
    ['say "hi" <b>.pdf', "say _hi_ _b_.pdf"],
    ["Käse 日本.pdf", "Käse 日本.pdf"],
    ["\ud800.pdf", "pdf"],
    [`${"x".repeat(300)}.pdf`, `${"x".repeat(196)}.pdf`]
  ])("%j becomes %j", (reported, kept) => {
    assert.strictEqual(sanitizeFilename(reported), kept)
  })
})

const png = latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR and the picture")

const textOf = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) =>
  Effect.map(Stream.runCollect(bytes), (pieces) => pieces.map((piece) => String.fromCharCode(...piece)).join(""))

layer(TestKit.layer)("a file that is uploaded", (it) => {
  it.effect("is stored completely for every chunk size", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const pieces = Stream.fromIterable(Array.from(png, (byte) => Uint8Array.of(byte)))
      const media = yield* uploadMedia({ filename: "../bread.png", mimeType: "Image/PNG", bytes: pieces }).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(
        [media.kind, media.mimeType, media.filename, media.size],
        ["image", "image/png", "bread.png", png.length]
      )
      const read = yield* readMedia({ id: media.id }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(read.media, media)
      assert.strictEqual(yield* textOf(read.bytes).pipe(asOperatorOf(organization)), String.fromCharCode(...png))
      const elsewhere = yield* givenOrganization()
      assert.strictEqual(yield* whyOf(readMedia({ id: media.id }).pipe(asOperatorOf(elsewhere))), "NotFound")
    })
  )

  it.effect("is dropped with its bytes, unless it was kept", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const receive = receiveMedia({ filename: null, mimeType: "image/png", bytes: Stream.make(png) }).pipe(inside)
      const [kept, dropped] = [yield* receive, yield* receive]
      yield* saveMedia(kept).pipe(inside)
      assert.strictEqual(
        yield* whyOf(readMedia({ id: dropped.id }).pipe(inside)),
        "NotFound",
        "it is in no library yet"
      )
      for (const media of [kept, dropped]) yield* dropMedia(media).pipe(inside)
      const files = yield* Files
      const isThere = ({ fileId }: Media) =>
        fileId === null ? Effect.succeed("") : whyOf(Stream.runDrain(files.read(fileId, 0))).pipe(inside)
      assert.deepStrictEqual(yield* Effect.forEach([kept, dropped], isThere), ["ok", "NotFound"])
    })
  )

  it.effect("is refused for its type, its content or its size", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const why = (mimeType: string, bytes: Stream.Stream<Uint8Array>) =>
        whyOf(uploadMedia({ filename: null, mimeType, bytes }).pipe(asOperatorOf(organization)))
      const webp = latin("RIFF\x24\0\0\0WEBPVP8X\0\0\0\0\x02")
      const filled = (size: number) => Stream.make(webp, new Uint8Array(size - webp.length))
      assert.deepStrictEqual(
        yield* Effect.all([
          why("image/svg+xml", Stream.make(png)),
          why("image/png", Stream.make(latin("<html>"))),
          why("image/png", Stream.empty),
          why("application/pdf", Stream.make(png)),
          why("image/webp", filled(maxMediaBytes.sticker + 1)),
          why("image/webp", filled(maxMediaBytes.sticker))
        ]),
        [
          "MediaRefused type",
          "MediaRefused content",
          "MediaRefused content",
          "MediaRefused content",
          "MediaRefused size",
          "ok"
        ]
      )
    })
  )
})

const givenRemote = Effect.fnUntraced(function* (organization: Of, overrides: Partial<Media> = {}) {
  const account = yield* givenNumber(organization)
  const media = new Media({
    id: yield* nextId(MediaId),
    kind: "image",
    mimeType: "image/png",
    filename: null,
    size: null,
    state: "remote",
    fileId: null,
    remote: { chatAccountId: account.id, mediaId: "remote-1" },
    createdAt: yield* DateTime.now,
    ...overrides
  })
  yield* transact(Effect.flatMap(MediaLibrary, (library) => library.insert([media]))).pipe(asOperatorOf(organization))
  return media
})

type Download = MemoryChat.WholeChannel["media"]["download"]

/** With a provider that hands files out like this. */
const downloading =
  (downloadMedia: Download) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(MemoryChat.whole, ({ media }) =>
      MemoryChat.through({ media: { ...media, download: downloadMedia } })(effect)
    )

const handingOut = (bytes: Stream.Stream<Uint8Array, ChannelFailure>): ReturnType<Download> =>
  Effect.succeed({ mimeType: "image/png", size: png.length, bytes })

layer(TestKit.layer)("a file that is with the provider", (it) => {
  it.effect("is downloaded once for concurrent readers and stored from then on", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenRemote(organization)
      const [begun, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const asked: Array<unknown> = []
      const read = Effect.flatMap(readMedia({ id }), ({ bytes, media }) =>
        Effect.map(textOf(bytes), (text) => ({ text, size: media.size }))
      ).pipe(
        downloading((_, mediaId, most) => {
          asked.push([mediaId, most])
          return Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(gate)).pipe(
            Effect.andThen(handingOut(Stream.make(png)))
          )
        }),
        asOperatorOf(organization)
      )
      const left = yield* Effect.forkChild(read, { startImmediately: true })
      const readers = yield* Effect.forkChild(Effect.all([read, read, read], { concurrency: "unbounded" }), {
        startImmediately: true
      })
      yield* Deferred.await(begun)
      // The first caller leaves: the next caller continues the request.
      yield* Fiber.interrupt(left)
      yield* Deferred.succeed(gate, undefined)
      const answers = yield* Fiber.join(readers)
      assert.deepStrictEqual<ReadonlyArray<unknown>>(
        answers,
        Array.from({ length: 3 }, () => ({ text: String.fromCharCode(...png), size: png.length }))
      )
      assert.deepStrictEqual(
        asked,
        Array.from({ length: 2 }, () => ["remote-1", maxMediaBytes.image])
      )
      yield* read
      assert.lengthOf(asked, 2)
    })
  )

  it.effect("is lost where the provider refuses it for an hour, and not before or for another reason", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenRemote(organization)
      const refusal = (remedy: Remedy) =>
        Effect.fail(new ChannelRefused({ remedy, code: 100, reason: "No.", retryAfterMillis: null }))
      const why = (of: MediaId, answer: ReturnType<Download>) =>
        whyOf(
          readMedia({ id: of }).pipe(
            downloading(() => answer),
            asOperatorOf(organization)
          )
        )
      const state = Effect.flatMap(MediaLibrary, (library) => library.get(id)).pipe(
        Effect.map((media) => media.state),
        asOperatorOf(organization)
      )
      const seen: Array<string> = []
      for (const remedy of ["retry", "slow_down", "reauthorize", "give_up"] as const) {
        seen.push(yield* why(id, refusal(remedy)))
        yield* TestClock.adjust("59 minutes")
      }
      assert.deepStrictEqual(
        seen,
        Array.from({ length: 4 }, () => "MediaUnavailable")
      )
      assert.strictEqual(yield* why(id, refusal("give_up")), "MediaUnavailable")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* why(id, Effect.fail(new ChannelUnreachable())), "MediaUnavailable")
      assert.strictEqual(yield* state, "remote")
      assert.strictEqual(yield* why(id, refusal("give_up")), "MediaGone")
      assert.strictEqual(yield* state, "lost")
      // No further call is made.
      assert.strictEqual(yield* why(id, handingOut(Stream.make(png))), "MediaGone")
    })
  )

  it.effect("is lost at the first refusal where no provider would have kept it for so long", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const [old, young] = [yield* givenRemote(organization), yield* givenRemote(organization)]
      const gone = new ChannelRefused({ remedy: "give_up", code: 100, reason: "No.", retryAfterMillis: null })
      const why = (id: MediaId) =>
        whyOf(
          readMedia({ id }).pipe(
            downloading(() => Effect.fail(gone)),
            asOperatorOf(organization)
          )
        )
      assert.strictEqual(yield* why(young.id), "MediaUnavailable")
      yield* TestClock.adjust("30 days")
      assert.strictEqual(yield* why(old.id), "MediaGone")
    })
  )

  it.effect("cannot be had where the provider fails, lies about its size, or its number is gone", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const elsewhere = yield* givenNumber(yield* givenOrganization())
      const fresh = yield* givenRemote(organization)
      const lost = yield* givenRemote(organization, { state: "lost" })
      const orphan = yield* givenRemote(organization, { remote: { chatAccountId: elsewhere.id, mediaId: "1" } })
      const why = (id: MediaId, answer: ReturnType<Download>) =>
        whyOf(
          readMedia({ id }).pipe(
            downloading(() => answer),
            asOperatorOf(organization)
          )
        )
      const good = handingOut(Stream.make(png))
      const endless = Stream.forever(Stream.make(new Uint8Array(1024 * 1024)))
      assert.deepStrictEqual(
        yield* Effect.all([
          why(fresh.id, handingOut(endless)),
          why(fresh.id, Effect.fail(new ChannelUnreachable())),
          why(lost.id, good),
          why(orphan.id, good),
          why(fresh.id, good)
        ]),
        ["MediaUnavailable", "MediaUnavailable", "MediaGone", "MediaGone", "ok"]
      )
    })
  )

  it.effect("leaves no second file behind where another node was quicker", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const media = yield* givenRemote(organization)
      const theirs = yield* nextId(FileId)
      const quicker = Effect.gen(function* () {
        yield* (yield* Files).write(theirs, Stream.make(png))
        const stored = new Media({ ...media, state: "stored", fileId: theirs, size: png.length })
        yield* transact(Effect.flatMap(MediaLibrary, (library) => library.save(stored)))
      }).pipe(asOperatorOf(organization))
      const context = yield* Effect.context<Files | MediaLibrary | UnitOfWork>()
      const read = yield* readMedia({ id: media.id }).pipe(
        downloading(() => Effect.andThen(Effect.provide(quicker, context), handingOut(Stream.make(latin("slower"))))),
        asOperatorOf(organization)
      )
      assert.strictEqual(yield* textOf(read.bytes).pipe(asOperatorOf(organization)), String.fromCharCode(...png))
    })
  )
})
