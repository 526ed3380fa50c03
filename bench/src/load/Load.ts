/** Results of a load generator. Latencies are in milliseconds. */
export interface Load {
  readonly requests: number
  readonly seconds: number
  /** Answers of another status than 2xx. */
  readonly refused: number
  /** Connections and requests without an answer. */
  readonly broken: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
}
