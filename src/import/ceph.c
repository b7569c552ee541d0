/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both answers are lists of nodes with an id: the tree tells what is in what, df how large OSDs
 * are. What one leaves out the other may tell, so they are read in any order. */
#include "kinds.h"
#include "text.h"
#include "tree.h"

#include <aftershock/base/error.h>
#include <aftershock/base/units.h>

#include <math.h>
#include <string.h>

#define KIB      (1024.0)
#define TIB      (1099511627776.0) /* of a weight of 1, as Ceph sets it */
#define MOST_KIB (1e15)
#define MOST_TIB (1e6)

enum { MOST_NODES = 200000, MOST_GROUPS = 1000, DEEPEST = 32 };

/* Profiles that stand in for device classes; the last for any other. */
static const struct {
    const char *class;
    const char *device;
} stand_ins[] = {{"hdd", "hdd-7k2"}, {"ssd", "sata-ssd"}, {"nvme", "nvme-ssd"}, {"", "hdd-7k2"}};

/* A node of the tree: an OSD, a host, a rack or what they are in. */
typedef struct {
    gint64 id;
    char *type;      /* (nullable) */
    char *name;      /* (nullable) */
    char *class;     /* of an OSD (nullable) */
    double bytes;    /* of an OSD; NaN: not told */
    double weight;   /* of an OSD in the CRUSH map; NaN: not told */
    gint64 parent;   /* G_MININT64: none */
    GPtrArray *osds; /* of a host: borrowed */
    gboolean down, out;
} Node;

/* What came of OSDs. */
typedef struct {
    guint lost;    /* have no host, or no size */
    guint weighed; /* are as large as their weights say */
} Fate;

typedef struct {
    GPtrArray *nodes; /* in the order in which they were met */
    GHashTable *by_id;
    GPtrArray *racks; /* borrowed: those with hosts */
    GString *yaml;
    char *last;  /* what the last group looks like (nullable) */
    guint hosts; /* of it */
    guint groups;
} Map;

static void free_node(gpointer data)
{
    Node *node = data;
    g_free(node->type);
    g_free(node->name);
    g_free(node->class);
    g_ptr_array_unref(node->osds);
    g_free(node);
}

static Node *find_node(Map *map, gint64 id)
{
    Node *node = g_hash_table_lookup(map->by_id, &id);
    if (node == NULL) {
        node = g_new0(Node, 1);
        *node = (Node){.id = id, .bytes = NAN, .weight = NAN, .parent = G_MININT64};
        node->osds = g_ptr_array_new();
        g_ptr_array_add(map->nodes, node);
        g_hash_table_insert(map->by_id, &node->id, node);
    }
    return node;
}

static gboolean read_id(JsonNode *json, const char *where, gint64 *ret_id, GError **error)
{
    gboolean whole = json != NULL && JSON_NODE_HOLDS_VALUE(json) &&
                     json_node_get_value_type(json) == G_TYPE_INT64;
    if (!whole) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s: expected ids, whole numbers", where);
        return FALSE;
    }
    *ret_id = json_node_get_int(json);
    return TRUE;
}

static gboolean read_children(Map *map, JsonObject *json, const char *where, const Node *node,
                              GError **error)
{
    JsonArray *children = NULL;
    if (!aft_tree_array(json, where, "children", &children, error)) {
        return FALSE;
    }
    for (guint i = 0; children != NULL && i < json_array_get_length(children); i++) {
        gint64 id;
        if (!read_id(json_array_get_element(children, i), where, &id, error)) {
            return FALSE;
        }
        find_node(map, id)->parent = node->id;
    }
    return TRUE;
}

static void keep_text(char **text, JsonObject *json, const char *key)
{
    const char *told = aft_tree_text(json, key);
    if (told != NULL && *told != '\0') {
        g_free(*text);
        *text = g_strdup(told);
    }
}

static gboolean read_limited(JsonObject *json, const char *where, const char *key, double most,
                             double *ret_value, GError **error)
{
    if (!aft_tree_number(json, where, key, ret_value, error)) {
        return FALSE;
    }
    if (*ret_value > most) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "%s.%s: expected at most %.0e, got %g",
                    where, key, most, *ret_value);
        return FALSE;
    }
    return TRUE;
}

/* "default~ssd" is what is in default, again, for one class. */
static gboolean is_shadow(const Node *node)
{
    return node->name != NULL && strchr(node->name, '~') != NULL;
}

static gboolean read_node(Map *map, JsonObject *json, const char *where, GError **error)
{
    gint64 id;
    double kib = NAN, weight = NAN, reweight = NAN;
    if (!read_id(json_object_get_member(json, "id"), where, &id, error) ||
        !read_limited(json, where, "kb", MOST_KIB, &kib, error) ||
        !read_limited(json, where, "crush_weight", MOST_TIB, &weight, error) ||
        !aft_tree_number(json, where, "reweight", &reweight, error)) {
        return FALSE;
    }
    Node *node = find_node(map, id);
    keep_text(&node->type, json, "type");
    keep_text(&node->name, json, "name");
    keep_text(&node->class, json, "device_class");
    node->bytes = kib > 0.0 ? kib * KIB : node->bytes;
    node->weight = weight > 0.0 ? weight : node->weight;
    node->down = node->down || g_strcmp0(aft_tree_text(json, "status"), "down") == 0;
    node->out = node->out || (reweight == 0.0 && g_strcmp0(node->type, "osd") == 0);
    return is_shadow(node) || read_children(map, json, where, node, error);
}

static gboolean read_list(Map *map, const char *path, JsonArray *nodes, const char *list,
                          GError **error)
{
    for (guint i = 0; i < json_array_get_length(nodes); i++) {
        g_autofree char *where = g_strdup_printf("%s: %s[%u]", path, list, i);
        JsonObject *json = aft_tree_item(nodes, i);
        if (json == NULL) {
            return aft_text_fail(error, path, 0, "%s[%u]: expected an object, {...}", list, i);
        }
        if (!read_node(map, json, where, error)) {
            return FALSE;
        }
        if (map->nodes->len > MOST_NODES) {
            g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most %d nodes", where,
                        MOST_NODES);
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean read_file(Map *map, const char *path, GError **error)
{
    static const char *const lists[] = {"nodes", "stray"};
    g_autoptr(JsonNode) root = aft_tree_read(path, error);
    JsonObject *top = root != NULL ? aft_tree_top(root, path, error) : NULL;
    gboolean any = FALSE;
    for (guint i = 0; top != NULL && i < G_N_ELEMENTS(lists); i++) {
        JsonArray *nodes = NULL;
        if (!aft_tree_array(top, path, lists[i], &nodes, error) ||
            (nodes != NULL && !read_list(map, path, nodes, lists[i], error))) {
            return FALSE;
        }
        any = any || nodes != NULL;
    }
    return top != NULL &&
           (any || aft_text_fail(error, path, 0,
                                 "has no nodes: expected what \"ceph osd tree -f json\" or \"ceph "
                                 "osd df -f json\" writes"));
}

/* The nearest of @type that @node is in. (nullable) */
static Node *inside(const Map *map, const Node *node, const char *type)
{
    gint64 parent = node->parent;
    for (guint depth = 0; depth < DEEPEST && parent != G_MININT64; depth++) { /* may be a ring */
        Node *above = g_hash_table_lookup(map->by_id, &parent);
        if (above == NULL || g_strcmp0(above->type, type) == 0) {
            return above;
        }
        parent = above->parent;
    }
    return NULL;
}

/* Gives each OSD to its host. */
static void place_osds(Map *map, Fate *fate)
{
    for (guint i = 0; i < map->nodes->len; i++) {
        Node *node = g_ptr_array_index(map->nodes, i);
        if (g_strcmp0(node->type, "osd") != 0) {
            continue;
        }
        if (isnan(node->bytes) && !isnan(node->weight)) {
            node->bytes = node->weight * TIB;
            fate->weighed++;
        }
        Node *host = inside(map, node, "host");
        if (host != NULL && !isnan(node->bytes)) {
            g_ptr_array_add(host->osds, node);
        } else {
            fate->lost++;
        }
    }
}

static guint rack_of(Map *map, const Node *host)
{
    Node *rack = inside(map, host, "rack");
    guint index = 0;
    if (!g_ptr_array_find(map->racks, rack, &index)) {
        index = map->racks->len;
        g_ptr_array_add(map->racks, rack);
    }
    return index;
}

static const char *stand_in(const char *class)
{
    guint i = 0;
    while (i + 1 < G_N_ELEMENTS(stand_ins) && g_strcmp0(class, stand_ins[i].class) != 0) {
        i++;
    }
    return stand_ins[i].device;
}

/* "{device: hdd-7k2, size: 8.002 TB" of @osd: sizes that differ in the fifth digit are the same. */
static char *kind_of(const Node *osd)
{
    char rounded[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(rounded, sizeof rounded, "%.3e", osd->bytes);
    g_autofree char *size = aft_units_format_exact(AFT_UNIT_BYTES, g_ascii_strtod(rounded, NULL));
    return g_strdup_printf("{device: %s, size: %s", stand_in(osd->class), size);
}

static gint compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The disk groups of @host, those alike as one. Returns: (transfer full). */
static char *disks_of(const Node *host)
{
    g_autoptr(GPtrArray) kinds = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < host->osds->len; i++) {
        g_ptr_array_add(kinds, kind_of(g_ptr_array_index(host->osds, i)));
    }
    g_ptr_array_sort(kinds, compare_texts);
    GString *disks = g_string_new(NULL);
    for (guint i = 0, n; i < kinds->len; i += n) {
        const char *kind = kinds->pdata[i];
        for (n = 1; i + n < kinds->len && strcmp(kinds->pdata[i + n], kind) == 0; n++) {
        }
        g_string_append_printf(disks, "%s{capacity: %s, count: %u}}", i > 0 ? ", " : "", kind, n);
    }
    return g_string_free(disks, FALSE);
}

static void end_group(Map *map)
{
    if (map->last != NULL) {
        g_string_append_printf(map->yaml, "    - {nodes: %u, %s}\n", map->hosts, map->last);
        map->groups++;
    }
    g_clear_pointer(&map->last, g_free);
    map->hosts = 0;
}

/* Hosts that are alike and follow each other are one group. */
static void take_host(Map *map, const Node *host)
{
    g_autofree char *disks = disks_of(host);
    g_autofree char *group =
        g_strdup_printf("rack: %u, node: {disk_groups: [%s]}", rack_of(map, host), disks);
    if (g_strcmp0(group, map->last) != 0) {
        end_group(map);
        map->last = g_steal_pointer(&group);
        aft_text_comment(map->yaml, 4, "from %s on", host->name != NULL ? host->name : "?");
    }
    map->hosts++;
}

static gboolean take_hosts(Map *map, const char *path, GError **error)
{
    for (guint i = 0; i < map->nodes->len && map->groups <= MOST_GROUPS; i++) {
        const Node *node = g_ptr_array_index(map->nodes, i);
        if (node->osds->len > 0) {
            take_host(map, node);
        }
    }
    end_group(map);
    if (map->groups > MOST_GROUPS) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT,
                    "%s: expected at most %d groups of hosts that are alike", path, MOST_GROUPS);
        return FALSE;
    }
    return map->groups > 0 ||
           aft_text_fail(error, path, 0,
                         "has no host with OSDs of a known size: give what both \"ceph osd tree -f "
                         "json\" and \"ceph osd df -f json\" write");
}

static void tell(const Map *map, const Fate *fate, GPtrArray *remarks)
{
    guint down = 0, out = 0;
    for (guint i = 0; i < map->nodes->len; i++) {
        const Node *node = g_ptr_array_index(map->nodes, i);
        down += node->down ? 1 : 0;
        out += node->out ? 1 : 0;
    }
    if (fate->weighed > 0) {
        aft_text_remark(remarks,
                        "%u OSDs are taken to have their weight in TiB; \"ceph osd df -f json\" "
                        "tells how large they are",
                        fate->weighed);
    }
    if (fate->lost > 0) {
        aft_text_remark(remarks, "%u OSDs have no host or no size: left out", fate->lost);
    }
    if (down > 0) {
        aft_text_remark(remarks, "%u nodes are down; here all of them are up at the start", down);
    }
    if (out > 0) {
        aft_text_remark(remarks, "%u OSDs are out; here all of them hold data", out);
    }
}

static char *write_yaml(const Map *map)
{
    GString *yaml = g_string_new(NULL);
    aft_text_comment(yaml, 0,
                     "From Ceph: put this into a scenario. Devices are profiles that stand "
                     "in for device classes;");
    aft_text_comment(yaml, 0,
                     "controllers and networks of hosts are not told there: say what they "
                     "are in each node.");
    g_string_append_printf(yaml, "cluster:\n  racks: %u\n  groups:\n%s", map->racks->len,
                           map->yaml->str);
    return g_string_free(yaml, FALSE);
}

char *aft_import_ceph(const char *const *files, const AftImportOptions *options G_GNUC_UNUSED,
                      GPtrArray *remarks, GError **error)
{
    g_autoptr(GPtrArray) nodes = g_ptr_array_new_with_free_func(free_node);
    g_autoptr(GHashTable) by_id = g_hash_table_new(g_int64_hash, g_int64_equal);
    g_autoptr(GPtrArray) racks = g_ptr_array_new();
    g_autoptr(GString) yaml = g_string_new(NULL);
    Map map = {.nodes = nodes, .by_id = by_id, .racks = racks, .yaml = yaml};
    for (guint i = 0; files[i] != NULL; i++) {
        if (!read_file(&map, files[i], error)) {
            return NULL;
        }
    }
    Fate fate = {0};
    place_osds(&map, &fate);
    gboolean fine = take_hosts(&map, files[0], error);
    tell(&map, &fate, remarks);
    return fine ? write_yaml(&map) : NULL;
}
