/** Things in the order they came; each call costs what it touches, however many there are. */
export interface Collection<Item extends { readonly id: string }> {
  get(id: string): Item | undefined;
  /** Adds a thing, or puts it where the one with its id is. */
  set(item: Item): void;
  /** Whether there was something to delete. */
  delete(id: string): boolean;
  /** How many there are. */
  readonly size: number;
  /** At most `limit` things, newest first, as `view` shows them; `undefined` leaves one out. */
  list<View>(limit: number, view: (item: Item) => View | undefined): View[];
}

export const createCollection = <Item extends { readonly id: string }>(): Collection<Item> => {
  const places = new Map<string, number>();
  let items: (Item | undefined)[] = [];

  const closeGaps = (): void => {
    items = items.filter((item) => item !== undefined);
    items.forEach((item, place) => {
      if (item) places.set(item.id, place);
    });
  };

  return {
    get: (id) => {
      const place = places.get(id);
      return place === undefined ? undefined : items[place];
    },
    set: (item) => {
      const place = places.get(item.id) ?? items.length;
      places.set(item.id, place);
      items[place] = item;
    },
    delete: (id) => {
      const place = places.get(id);
      if (place === undefined) return false;
      places.delete(id);
      items[place] = undefined;
      // Half of it gaps: closing them now costs no more than the deletions that made them.
      if (items.length > places.size * 2) closeGaps();
      return true;
    },
    get size() {
      return places.size;
    },
    list: (limit, view) => {
      const views = [];
      for (let place = items.length - 1; place >= 0 && views.length < limit; place -= 1) {
        const item = items[place];
        const shown = item && view(item);
        if (shown !== undefined) views.push(shown);
      }
      return views;
    },
  };
};
