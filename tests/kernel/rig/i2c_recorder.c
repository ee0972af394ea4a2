// SPDX-License-Identifier: GPL-2.0
/*
 * An I2C adapter without wires: bus 1, with one device that takes every write.
 *
 * What is written to it can be read from debugfs, i2c_recorder/writes: for each
 * message its length (two bytes, little endian) and its bytes.  Module parameters:
 * address, and present, which unplugs the device and plugs it in again.
 *
 * A kernel module has to be GPL-2.0; this file is, the rest of Boxkeeper is not.
 */
#include <linux/debugfs.h>
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/vmalloc.h>

#define CAPACITY (4 << 20)

static unsigned short address = 0x3c;
module_param(address, ushort, 0444);
static bool present = true;
module_param(present, bool, 0644);

static DEFINE_MUTEX(lock);
static struct debugfs_blob_wrapper writes;
static struct dentry *directory;

static int record(const struct i2c_msg *message)
{
	u8 *end = (u8 *)writes.data + writes.size;

	if (writes.size + 2 + message->len > CAPACITY)
		return -ENOSPC;
	end[0] = message->len & 0xff;
	end[1] = message->len >> 8;
	memcpy(end + 2, message->buf, message->len);
	writes.size += 2 + message->len;
	return 0;
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int i, error = 0;

	mutex_lock(&lock);
	for (i = 0; i < count && !error; i++) {
		if (!present || messages[i].addr != address)
			error = -EREMOTEIO; /* what i2c-bcm2835 says when nobody answers */
		else if (messages[i].flags & I2C_M_RD)
			memset(messages[i].buf, 0, messages[i].len);
		else
			error = record(&messages[i]);
	}
	mutex_unlock(&lock);
	return error ? error : count;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = transfer,
	.functionality = functionality,
};

static struct i2c_adapter recorder = {
	.owner = THIS_MODULE,
	.algo = &algorithm,
	.name = "i2c_recorder",
	.nr = 1,
};

static int __init recorder_init(void)
{
	int error;

	writes.data = vzalloc(CAPACITY);
	if (!writes.data)
		return -ENOMEM;
	directory = debugfs_create_dir("i2c_recorder", NULL);
	debugfs_create_blob("writes", 0444, directory, &writes);
	error = i2c_add_numbered_adapter(&recorder);
	if (error) {
		debugfs_remove_recursive(directory);
		vfree(writes.data);
	}
	return error;
}

static void __exit recorder_exit(void)
{
	i2c_del_adapter(&recorder);
	debugfs_remove_recursive(directory);
	vfree(writes.data);
}

module_init(recorder_init);
module_exit(recorder_exit);
MODULE_DESCRIPTION("I2C adapter that records what is written");
MODULE_LICENSE("GPL");
