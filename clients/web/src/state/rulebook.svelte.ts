/** The rule that is looked up, over whatever page is open. */

class Lookup {
  title = $state('')
  rule = $state('')

  open(title: string, rule: string): void {
    this.title = title
    this.rule = rule
  }

  close(): void {
    this.rule = ''
  }
}

export const lookup = new Lookup()
