import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { FileId, Files, JobId, type JobState } from "@parley/domain/platform"
import {
  ContactImportId,
  ContactImportCleanup,
  ContactImports,
  type ImportIssue,
  StoredImport
} from "@parley/domain/crm"
import { Effect, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside, present } from "../given.ts"
import { givenJob } from "../platform/jobs/given.ts"
import { inNewOrganization, morning } from "./given.ts"

const newOrder = (overrides: Partial<StoredImport> = {}): StoredImport =>
  new StoredImport({
    id: freshId(ContactImportId),
    jobId: freshId(JobId),
    fileId: freshId(FileId),
    size: 12_345,
    format: "csv",
    delimiter: ";",
    header: ["Név “%_\\” 🥐", "e-mail", "name"],
    start: { offset: 33, line: 2 },
    dryRun: false,
    onExisting: "update",
    createTags: true,
    country: "HU",
    tags: [],
    mapping: [{ column: "Név “%_\\” 🥐", target: "name" }],
    createdAt: morning,
    ...overrides
  })

const insert = (order: StoredImport) => Effect.flatMap(ContactImports, (imports) => transact(imports.insert(order)))

const addFaults = (id: ContactImportId, faults: ReadonlyArray<ImportIssue>) =>
  Effect.flatMap(ContactImports, (imports) => transact(imports.addFaults(id, faults)))

const faultsOf = (id: ContactImportId, after = 0, limit = 100) =>
  Effect.flatMap(ContactImports, (imports) => imports.faults(id, after, limit))

const newFault = (number: number, overrides: Partial<ImportIssue> = {}): ImportIssue => ({
  number,
  line: number * 2,
  column: "e-mail",
  reason: "Expected an e-mail address “\\” 🥐",
  cells: ["=1+1", "", 'a "quoted", cell\r\nof two lines'],
  ofContacts: number % 2 === 0,
  ...overrides
})

const plain = Schema.encodeSync(Schema.toCodecJson(StoredImport))

const givenFile = Effect.fnUntraced(function* () {
  const id = freshId(FileId)
  const now = yield* present
  yield* transact((yield* ContactImports).expectFile(id, now))
  yield* (yield* Files).write(id, Stream.make(new Uint8Array([1, 2, 3])))
  return id
})

const isThere = (id: FileId) =>
  Effect.flatMap(Files, (files) =>
    Effect.match(Stream.runDrain(files.read(id, 0)), { onSuccess: () => true, onFailure: () => false })
  )

const sweep = Effect.flatMap(ContactImportCleanup, (remains) => remains.sweep())

export const contactImports: StorageContract = {
  port: "ContactImports",
  promises: (it) => {
    it.effect("gives back what was asked for", () =>
      Effect.gen(function* () {
        const imports = yield* ContactImports
        const orders = [newOrder(), newOrder({ country: null, format: "ndjson", dryRun: true, onExisting: "skip" })]
        for (const order of orders) yield* insert(order)
        for (const order of orders) assert.deepStrictEqual(plain(yield* imports.get(order.id)), plain(order))
        assert.strictEqual((yield* Effect.flip(imports.get(freshId(ContactImportId))))._tag, "NotFound")
      }).pipe(inNewOrganization)
    )

    it.effect("keeps one tenant's imports out of another's sight and reach", () =>
      Effect.gen(function* () {
        const imports = yield* ContactImports
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const order = newOrder()
        const fault = newFault(1)
        yield* Effect.andThen(insert(order), addFaults(order.id, [fault])).pipe(inside(one))
        const file = yield* givenFile().pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(imports.get(order.id)))._tag, "NotFound")
          assert.deepStrictEqual(yield* faultsOf(order.id), [])
          assert.isFalse(yield* transact(imports.forgetFile(file)))
          yield* transact(imports.addColumns(order.id, ["theirs"]))
        }).pipe(inside(other))
        assert.deepStrictEqual((yield* imports.get(order.id).pipe(inside(one))).header, order.header)
        assert.deepStrictEqual(yield* faultsOf(order.id).pipe(inside(one)), [fault])
      })
    )

    it.effect("lists further columns after the known ones", () =>
      Effect.gen(function* () {
        const imports = yield* ContactImports
        const [order, other] = [newOrder({ strict: true, tagSeparator: "pipe" }), newOrder()]
        yield* insert(order)
        yield* insert(other)
        yield* transact(imports.addColumns(order.id, ["Ä “%_\\” 🥐", ""]))
        yield* transact(imports.addColumns(order.id, ["last"]))
        const longer = new StoredImport({ ...order, header: [...order.header, "Ä “%_\\” 🥐", "", "last"] })
        assert.deepStrictEqual(plain(yield* imports.get(order.id)), plain(longer))
        assert.deepStrictEqual(plain(yield* imports.get(other.id)), plain(other))
      }).pipe(inNewOrganization)
    )

    it.effect("lists errors by number, from any number on", () =>
      Effect.gen(function* () {
        const order = newOrder()
        yield* insert(order)
        const faults = [newFault(1), newFault(2, { column: null, cells: [] }), newFault(3)]
        yield* addFaults(order.id, faults.slice(0, 2))
        yield* addFaults(order.id, faults.slice(2))
        yield* addFaults(order.id, [])
        assert.deepStrictEqual(yield* faultsOf(order.id), faults)
        assert.deepStrictEqual(yield* faultsOf(order.id, 1, 1), [newFault(2, { column: null, cells: [] })])
        assert.deepStrictEqual(yield* faultsOf(order.id, 3), [])
      }).pipe(inNewOrganization)
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const imports = yield* ContactImports
        const [kept, lost] = [newOrder(), newOrder()]
        yield* insert(kept)
        const file = yield* givenFile()
        yield* imports
          .insert(lost)
          .pipe(
            Effect.andThen(imports.addFaults(kept.id, [newFault(1)])),
            Effect.andThen(imports.addColumns(kept.id, ["lost"])),
            Effect.andThen(imports.forgetFile(file)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
        assert.strictEqual((yield* Effect.flip(imports.get(lost.id)))._tag, "NotFound")
        assert.deepStrictEqual(yield* faultsOf(kept.id), [])
        assert.deepStrictEqual((yield* imports.get(kept.id)).header, kept.header)
        assert.isTrue(yield* transact(imports.forgetFile(file)))
      }).pipe(inNewOrganization)
    )

    it.effect("forgets a file once, unless an import has it", () =>
      Effect.gen(function* () {
        const imports = yield* ContactImports
        const [waiting, used] = [yield* givenFile(), yield* givenFile()]
        yield* insert(newOrder({ fileId: used }))
        assert.isTrue(yield* transact(imports.forgetFile(waiting)))
        assert.isFalse(yield* transact(imports.forgetFile(waiting)))
        assert.isFalse(yield* transact(imports.forgetFile(used)))
      }).pipe(inNewOrganization)
    )

    it.effect("sweeps the files of imports that have ended, and no others", () =>
      Effect.gen(function* () {
        const givenImport = Effect.fnUntraced(function* (state: JobState) {
          const [file, job] = [yield* givenFile(), yield* givenJob("contacts.import", { state })]
          yield* insert(newOrder({ fileId: file, jobId: job.id, createdAt: yield* present }))
          return file
        })
        const files = {
          queued: yield* givenImport("queued"),
          running: yield* givenImport("running"),
          succeeded: yield* givenImport("succeeded"),
          failed: yield* givenImport("failed"),
          cancelled: yield* givenImport("cancelled"),
          waiting: yield* givenFile()
        }
        yield* sweep
        const left = yield* Effect.filter(Object.entries(files), ([, id]) => isThere(id))
        assert.deepStrictEqual(
          left.map(([name]) => name),
          ["queued", "running", "waiting"]
        )
      }).pipe(inNewOrganization)
    )

    it.effect("deletes an unused file after a day", () =>
      Effect.gen(function* () {
        const file = yield* givenFile()
        yield* TestClock.adjust("23 hours")
        yield* sweep
        assert.isTrue(yield* isThere(file))
        yield* TestClock.adjust("1 hour")
        yield* sweep
        assert.isFalse(yield* isThere(file))
      }).pipe(inNewOrganization)
    )

    it.effect("sweeps bad rows that are thirty days old", () =>
      Effect.gen(function* () {
        const order = newOrder({ createdAt: yield* present })
        yield* insert(order)
        yield* addFaults(order.id, [newFault(1)])
        yield* TestClock.adjust("29 days")
        yield* sweep
        assert.lengthOf(yield* faultsOf(order.id), 1)
        yield* TestClock.adjust("1 day")
        yield* sweep
        assert.lengthOf(yield* faultsOf(order.id), 0)
      }).pipe(inNewOrganization)
    )
  }
}

export const contactImportsContract = runContract(contactImports)
