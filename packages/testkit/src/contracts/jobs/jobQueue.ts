import { assert } from "@effect/vitest"
import {
  type ClaimedJob,
  Job,
  type JobKindName,
  JobQueue,
  Jobs,
  type Lease,
  type Outcome,
  transact
} from "@parley/domain"
import { type DateTime, type Duration, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { after, freshText, givenOrganization, inside, plain } from "../given.ts"
import { freshKind, givenJob, jobInput, noon } from "./given.ts"

const lease: Duration.Input = "8 seconds"

const claim = (kind: JobKindName, now = noon, runner = freshText("runner")) =>
  Effect.flatMap(JobQueue, (queue) => queue.claim({ runner, kinds: [kind], now, until: after(now, lease) }))

const mustClaim = (kind: JobKindName, now = noon) =>
  Effect.filterOrElse(
    claim(kind, now),
    (claimed) => claimed !== null,
    () => Effect.die(new Error("Nothing was claimed."))
  )

const step = { checkpoint: { row: 5 }, progress: { done: 5, total: 12 }, counts: { created: 4, bad: 1 } }

const advance = (lease: Lease, now: DateTime.Utc, until: DateTime.Utc = after(now, "8 seconds")) =>
  Effect.flatMap(JobQueue, (queue) => transact(queue.advance(lease, { ...step, now, until })))

const succeeded = (now: DateTime.Utc): Outcome => ({ state: "succeeded", error: null, resultUrl: "/api/v1/there", now })

const everyWrite = (lease: Lease, now: DateTime.Utc) =>
  Effect.map(JobQueue, (queue) => [
    queue.renew(lease, after(now, "1 hour")),
    advance(lease, now),
    transact(queue.finish(lease, succeeded(now))),
    queue.handBack(lease, now),
    queue.postpone(lease, after(now, "1 hour"), now)
  ])

const stateOf = ({ job }: Pick<ClaimedJob, "job">) => Effect.flatMap(Jobs, (jobs) => jobs.get(job.id))

export const jobQueue: StorageContract = {
  port: "JobQueue",
  promises: (it) => {
    it.effect("hands out a job with what its runner needs", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const kind = freshKind()
        const job = yield* givenJob(kind).pipe(inside(organization))
        const claimed = yield* claim(kind, after(noon, "1 second"), "runner one")
        if (claimed === null) return assert.fail("nothing was claimed")
        const running = new Job({
          ...job,
          state: "running",
          startedAt: after(noon, "1 second"),
          updatedAt: after(noon, "1 second")
        })
        assert.deepStrictEqual(plain.job(claimed.job), plain.job(running))
        assert.deepStrictEqual(plain.job(yield* stateOf(claimed).pipe(inside(organization))), plain.job(running))
        assert.deepStrictEqual(
          { ...claimed.lease },
          { organizationId: organization.id, jobId: job.id, runner: "runner one" }
        )
        assert.deepStrictEqual(claimed.input, jobInput)
        assert.isNull(claimed.checkpoint)
        assert.deepStrictEqual(Array.from(claimed.permissions).toSorted(), ["jobs.read", "members.read"])
        assert.strictEqual(claimed.attempts, 1)
      })
    )

    it.effect("hands out each job once, the oldest first, and only of the kinds asked for", () =>
      Effect.gen(function* () {
        const [kind, another] = [freshKind(), freshKind()]
        const [first, second] = yield* Effect.all([givenJob(kind), givenJob(kind), givenJob(another)]).pipe(
          inside(yield* givenOrganization())
        )
        assert.strictEqual((yield* mustClaim(kind)).job.id, first.id)
        assert.strictEqual((yield* mustClaim(kind)).job.id, second.id)
        assert.isNull(yield* claim(kind))
        const queue = yield* JobQueue
        assert.isNull(yield* queue.claim({ runner: "none", kinds: [], now: noon, until: after(noon, lease) }))
      })
    )

    it.effect("of many claims at once, one gets a job", () =>
      Effect.gen(function* () {
        const kind = freshKind()
        const all = yield* Effect.all([givenJob(kind), givenJob(kind), givenJob(kind)]).pipe(
          inside(yield* givenOrganization())
        )
        const claims = yield* Effect.replicateEffect(claim(kind), 12, { concurrency: "unbounded" })
        const got = claims.flatMap((claimed) => (claimed === null ? [] : [claimed.job.id]))
        assert.deepStrictEqual(got.toSorted(), all.map(({ id }) => id).toSorted())
      })
    )

    it.effect("of many claims at once on a lease that ran out, one gets the job", () =>
      Effect.gen(function* () {
        const kind = freshKind()
        yield* givenJob(kind).pipe(inside(yield* givenOrganization()))
        yield* mustClaim(kind)
        const claims = yield* Effect.replicateEffect(claim(kind, after(noon, lease)), 12, { concurrency: "unbounded" })
        assert.lengthOf(
          claims.filter((claimed) => claimed !== null),
          1
        )
      })
    )

    it.effect("serves an organization that nobody works for before one that somebody does", () =>
      Effect.gen(function* () {
        const [busy, idle] = [yield* givenOrganization(), yield* givenOrganization()]
        const kind = freshKind()
        const [first, second] = yield* Effect.all([givenJob(kind), givenJob(kind)]).pipe(inside(busy))
        const third = yield* givenJob(kind).pipe(inside(idle))
        assert.strictEqual((yield* mustClaim(kind)).job.id, first.id)
        assert.strictEqual((yield* mustClaim(kind)).job.id, third.id)
        assert.strictEqual((yield* mustClaim(kind)).job.id, second.id)
      })
    )

    it.effect("goes on from the checkpoint when the lease has run out, and not before", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const kind = freshKind()
        yield* givenJob(kind).pipe(inside(organization))
        const one = yield* mustClaim(kind)
        assert.isFalse(yield* advance(one.lease, after(noon, "5 seconds")))
        const seen = yield* stateOf(one).pipe(inside(organization))
        assert.deepStrictEqual(
          [seen.progress, seen.counts].map((part) => ({ ...part })),
          [step.progress, step.counts]
        )
        assert.isNull(yield* claim(kind, after(noon, "12999 millis")))
        const other = yield* mustClaim(kind, after(noon, "13 seconds"))
        assert.deepStrictEqual(other.checkpoint, step.checkpoint)
        assert.strictEqual(other.attempts, 2)
        assert.deepStrictEqual(other.job.startedAt, one.job.startedAt)
      })
    )

    it.effect("keeps a lease that is renewed", () =>
      Effect.gen(function* () {
        const kind = freshKind()
        yield* givenJob(kind).pipe(inside(yield* givenOrganization()))
        const { lease } = yield* mustClaim(kind)
        yield* (yield* JobQueue).renew(lease, after(noon, "15 seconds"))
        assert.isNull(yield* claim(kind, after(noon, "14 seconds")))
        assert.isNotNull(yield* claim(kind, after(noon, "15 seconds")))
      })
    )

    it.effect("refuses everything that a lost lease writes", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const kind = freshKind()
        yield* givenJob(kind).pipe(inside(organization))
        const late = yield* mustClaim(kind)
        const now = after(noon, lease)
        const current = yield* mustClaim(kind, now)
        for (const write of yield* everyWrite(late.lease, now)) {
          assert.strictEqual((yield* Effect.flip(write))._tag, "LeaseLost")
        }
        assert.deepStrictEqual(plain.job(yield* stateOf(current).pipe(inside(organization))), plain.job(current.job))
        assert.isNull(yield* claim(kind, now))
        assert.isFalse(yield* advance(current.lease, now))
      })
    )

    it.effect("takes the work of a step back when its lease was lost meanwhile", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [kind, written] = [freshKind(), freshKind()]
        yield* givenJob(kind).pipe(inside(organization))
        const { lease: late } = yield* mustClaim(kind)
        yield* mustClaim(kind, after(noon, lease))
        const failure = yield* givenJob(written).pipe(
          Effect.andThen(advance(late, after(noon, lease))),
          transact,
          inside(organization),
          Effect.flip
        )
        assert.strictEqual(failure._tag, "LeaseLost")
        assert.isNull(yield* claim(written))
      })
    )

    it.effect("lets a finished job rest", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const kind = freshKind()
        yield* givenJob(kind).pipe(inside(organization))
        const claimed = yield* mustClaim(kind)
        const now = after(noon, "3 seconds")
        const outcome: Outcome = { state: "failed", error: "The file is “empty”.", resultUrl: null, now }
        const finished = yield* transact((yield* JobQueue).finish(claimed.lease, outcome))
        const { error, state } = outcome
        const expected = new Job({ ...claimed.job, state, error, finishedAt: now, updatedAt: now })
        assert.deepStrictEqual(plain.job(finished), plain.job(expected))
        assert.deepStrictEqual(plain.job(yield* stateOf(claimed).pipe(inside(organization))), plain.job(expected))
        assert.isNull(yield* claim(kind, after(now, "1 day")))
        for (const write of yield* everyWrite(claimed.lease, now)) {
          assert.strictEqual((yield* Effect.flip(write))._tag, "LeaseLost")
        }
      })
    )

    it.effect("gives a job back at once, as if it had not been claimed", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const kind = freshKind()
        yield* givenJob(kind).pipe(inside(organization))
        const one = yield* mustClaim(kind)
        yield* advance(one.lease, noon)
        yield* (yield* JobQueue).handBack(one.lease, noon)
        assert.strictEqual((yield* stateOf(one).pipe(inside(organization))).state, "queued")
        const other = yield* mustClaim(kind)
        assert.deepStrictEqual([other.attempts, other.checkpoint], [1, step.checkpoint])
      })
    )

    it.effect("puts a job off, and counts the attempt", () =>
      Effect.gen(function* () {
        const kind = freshKind()
        yield* givenJob(kind).pipe(inside(yield* givenOrganization()))
        const { lease } = yield* mustClaim(kind)
        yield* (yield* JobQueue).postpone(lease, after(noon, "4 seconds"), noon)
        assert.isNull(yield* claim(kind, after(noon, "3999 millis")))
        assert.strictEqual((yield* mustClaim(kind, after(noon, "4 seconds"))).attempts, 2)
      })
    )

    it.effect("tells the runner that somebody wants the job stopped", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const kind = freshKind()
        const { id } = yield* givenJob(kind).pipe(inside(organization))
        const one = yield* mustClaim(kind)
        yield* transact((yield* Jobs).requestCancel(id, noon)).pipe(inside(organization))
        assert.isTrue(yield* advance(one.lease, noon))
        const other = yield* mustClaim(kind, after(noon, lease))
        assert.isTrue(other.job.cancelRequested)
      })
    )
  }
}

/** What every `JobQueue` promises. */
export const jobQueueContract = runContract(jobQueue)
