import { describe, layer, type Vitest } from "@effect/vitest"
import type { SecurityPorts, StoragePorts } from "@parley/domain/composition"
import type { Layer } from "effect"

/** Concurrency with an open unit of work. `readers`: one writer at a time. `writers`: other units of work also write. */
export type Overlap = "readers" | "writers"

/** Differences of an adapter that affect its contract tests. */
export interface ContractOptions {
  /** Default: `writers`, as in a real database. */
  readonly overlap?: Overlap
}

/** The promises of one port, as tests. */
export interface Contract<Ports> {
  readonly port: string
  readonly promises: (it: Vitest.MethodsNonLive<Ports>, overlap: Overlap) => void
}

export type StorageContract = Contract<StoragePorts>
export type SecurityContract = Contract<SecurityPorts>

const startUp = "60 seconds"

/** Runs the contract against a separate adapter. */
export const runContract =
  <Ports>({ port, promises }: Contract<Ports>) =>
  <E>(name: string, adapter: Layer.Layer<Ports, E>, { overlap = "writers" }: ContractOptions = {}): void =>
    layer(adapter, { timeout: startUp })(`${port}: ${name}`, (it) => promises(it, overlap))

/** Runs all of the contracts against one adapter. */
export const runContracts =
  <Ports>(contracts: ReadonlyArray<Contract<Ports>>) =>
  <E>(name: string, adapter: Layer.Layer<Ports, E>, { overlap = "writers" }: ContractOptions = {}): void =>
    layer(adapter, { timeout: startUp })(name, (it) => {
      for (const { port, promises } of contracts) describe(port, () => promises(it, overlap))
    })
