import { SqliteQueryCompiler } from 'kysely'

/**
 * Keeps prepared statements prepared. SQLite plans for the values that are bound, and prepares a statement again when another value may need
 * another plan (its "Query Planner Stability Guarantee" is off). better-sqlite3 clears the values after each run, so that this happened
 * before each run. `likely` returns its argument at no cost, and hides the value from the planner.
 */
export class StablePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return 'likely(?)'
  }
}
