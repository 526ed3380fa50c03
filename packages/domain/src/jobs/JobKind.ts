import { Context, Effect, Layer, Schema } from "effect"
import { withContext, type Tenancy, type Transaction } from "../kernel/index.ts"
import type { JobFailed } from "./Errors.ts"
import type { JobCounts, JobKindName, JobProgress } from "./Job.ts"

/** What one step has come to, and where the next one goes on. */
export interface JobStep<Checkpoint> {
  readonly checkpoint: Checkpoint
  readonly done: boolean
  readonly progress: JobProgress
  readonly counts: JobCounts
  /** The path of the result, told with the last step. */
  readonly resultUrl?: string | null
}

/** What every step finds round it: the unit of work that also stores its checkpoint, the organization, and who asked. */
type InStep = Transaction | Tenancy

/** Declares a kind of job. */
interface Declaration<Input, Checkpoint, R> {
  readonly name: JobKindName
  readonly input: Schema.Codec<Input, unknown>
  readonly checkpoint: Schema.Codec<Checkpoint, unknown>
  /**
   * A part of the work, small enough for one unit of work (aim below a second). Everything it writes is committed with its
   * checkpoint or not at all, so whatever happens to the process, no step is lost and none is done twice.
   */
  readonly step: (input: Input, checkpoint: Checkpoint | null) => Effect.Effect<JobStep<Checkpoint>, JobFailed, R>
}

/** A kind of job whose steps still need these services. */
export interface JobKind<in Input, out R> {
  readonly name: JobKindName
  readonly encodeInput: (input: Input) => Effect.Effect<Schema.Json>
  /** Dies when what is stored cannot be read: that is nobody's fault outside. */
  readonly step: (
    input: Schema.Json,
    checkpoint: Schema.Json | null
  ) => Effect.Effect<JobStep<Schema.Json>, JobFailed, R>
}

/** Declares a kind of job: what it works on, what it remembers between steps, and what a step does. */
export const defineJob = <Input, Checkpoint, R>(declaration: Declaration<Input, Checkpoint, R>): JobKind<Input, R> => {
  const input = Schema.toCodecJson(declaration.input)
  const checkpoint = Schema.toCodecJson(declaration.checkpoint)
  const encodeCheckpoint = Schema.encodeEffect(checkpoint)
  const decodeInput = Schema.decodeEffect(input)
  const decodeCheckpoint = Schema.decodeEffect(checkpoint)
  const encodeInput = Schema.encodeEffect(input)
  return {
    name: declaration.name,
    encodeInput: (value) => Effect.orDie(encodeInput(value)),
    step: Effect.fnUntraced(function* (stored, at) {
      const step = yield* declaration.step(
        yield* Effect.orDie(decodeInput(stored)),
        at === null ? null : yield* Effect.orDie(decodeCheckpoint(at))
      )
      return { ...step, checkpoint: yield* Effect.orDie(encodeCheckpoint(step.checkpoint)) }
    })
  }
}

/** The kinds of jobs that the runners of this process do, by their names. */
export class JobKinds extends Context.Service<JobKinds, ReadonlyMap<JobKindName, JobKind<never, InStep>>>()(
  "@parley/domain/jobs/JobKinds"
) {}

type Needs<Kind> = Kind extends JobKind<never, infer R> ? R : never

/** Gives the kinds what their steps need from outside. */
export const layerJobKindsOf = <const Kinds extends ReadonlyArray<JobKind<never, unknown>>>(
  kinds: Kinds
): Layer.Layer<JobKinds, never, Exclude<Needs<Kinds[number]>, InStep>> =>
  Layer.effect(
    JobKinds,
    Effect.contextWith((outside: Context.Context<Exclude<Needs<Kinds[number]>, InStep>>) => {
      const supply = withContext<InStep>(outside)
      const complete = ({ encodeInput, name, step }: JobKind<never, unknown>): JobKind<never, InStep> => ({
        name,
        encodeInput,
        step: (input, checkpoint) => supply(step(input, checkpoint))
      })
      return Effect.succeed(new Map(kinds.map((kind) => [kind.name, complete(kind)])))
    })
  )
