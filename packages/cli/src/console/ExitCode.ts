/** What the process says with its exit code. */
export const ExitCode = {
  ok: 0,
  refused: 1,
  usage: 2,
  configuration: 3,
  database: 4,
  unexpected: 70,
  interrupted: 130
} as const

/** The exit codes as `--help` explains them. */
export const explanation = `Exit codes
    0    done
    1    refused by a rule, or not found
    2    wrong usage
    3    wrong configuration
    4    the database or the service is out of reach, in use or of another version
    70   something unexpected`
