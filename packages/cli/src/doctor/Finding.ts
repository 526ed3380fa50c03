/** What one check found. */
export interface Finding {
  readonly check: string
  readonly status: "ok" | "warning" | "failed" | "skipped"
  readonly found: string
  /** What to do about it. */
  readonly advice: string | null
}

export const ok = (check: string, found: string): Finding => ({ check, status: "ok", found, advice: null })

export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  status: "warning",
  found,
  advice
})

export const failed = (check: string, found: string, advice: string): Finding => ({
  check,
  status: "failed",
  found,
  advice
})

export const skipped = (check: string, found: string): Finding => ({ check, status: "skipped", found, advice: null })
